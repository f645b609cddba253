"""The only door to the network.

Every byte goes through one guarded session (`transport`), which dials (`dial`) only addresses
that were judged (`resolve`). No other module of the program opens a connection or looks up a name.
"""
