// import CZlib
