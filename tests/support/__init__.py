"""What tests share: a scripted server on loopback, its certificates, and a fetch that is timed."""
