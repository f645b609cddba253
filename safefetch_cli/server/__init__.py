"""The operations as tools of the Model Context Protocol, over stdio and Streamable HTTP."""
