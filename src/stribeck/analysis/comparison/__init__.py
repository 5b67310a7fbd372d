"""The same machine under several friction laws."""
