// import GranaryCZlib
