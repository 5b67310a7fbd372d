from pythonfmu import Fmi2Causality, Fmi2Slave, Real


class SlipController(Fmi2Slave):
    """A PI controller of the slip of a clutch as an FMU of PythonFMU: `pythonfmu build -f slip_controller.py`."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.slip = 0.0  # rad/s, measured
        self.force = 0.0  # 0 to 1
        self.gain, self.reset_time, self.wanted = 0.004, 0.5, 0.0
        self._integral = 0.0
        self.register_variable(Real("slip", causality=Fmi2Causality.input))
        self.register_variable(Real("force", causality=Fmi2Causality.output))

    def do_step(self, current_time, step_size):
        error = self.slip - self.wanted
        self._integral += error * step_size / self.reset_time
        self.force = min(max(self.gain * (error + self._integral), 0.0), 1.0)
        return True
