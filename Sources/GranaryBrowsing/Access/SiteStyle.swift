/// The style of the browser, besides that of all pages of Granary.
enum SiteStyle {
    static let rules = """
        body{max-width:none}nav{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;border-bottom:1px solid var(--line);padding-bottom:.4rem}
        nav .here{font-weight:bold}.scroll{overflow-x:auto}.scroll table{width:max-content}th a{text-decoration:none}th .dir{color:var(--soft)}
        th,td{overflow-wrap:break-word}td{max-width:28rem}th,td.n,td.line{white-space:nowrap}.null{color:var(--soft);font-style:italic}.bad{color:var(--rejected)}
        form{margin:.6rem 0}input[type=text]{font:inherit;padding:.25rem .4rem;background:var(--page);color:var(--text);border:1px solid var(--soft)}
        input.wide{width:min(48rem,70vw)}button{font:inherit;padding:.25rem .8rem}
        fieldset{border:1px solid var(--line);columns:14rem;margin:.5rem 0}label.choice{display:block;break-inside:avoid}
        .message{border-left:4px solid var(--rejected);padding-left:.6rem}.pages{display:flex;gap:1.2rem}
        img.value{max-width:min(40rem,100%);max-height:30rem;display:block;border:1px solid var(--line)}
        .stored{color:var(--soft);font-size:.9em;white-space:nowrap}footer{margin-top:2rem;border-top:1px solid var(--line);color:var(--soft)}
        svg.share{width:12rem;height:.8rem;vertical-align:middle}svg.share rect{fill:var(--bar)}svg.diagram{max-width:none}\
        .hist{height:2rem;width:20rem;max-width:100%}.hist rect{fill:var(--bar)}figure{margin:.5rem 0}
        """
}
