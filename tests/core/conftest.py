"""Properties are tried without a time limit: machines are slow at times, and that is no fault."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "orch", deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("orch")
