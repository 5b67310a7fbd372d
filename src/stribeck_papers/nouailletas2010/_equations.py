"""The equations of the paper in LaTeX, as they are read; what is printed otherwise is a row of the scorecard."""

_FRICTION = {
    "(1)": r"f(v) = \left( f_c + (f_s - f_c) e^{-(v/v_s)^{\beta_s}} \right) \text{sign}(v)",
    "(2)": r"f(v) = f_v v",
    "(3)": (
        r"\dot{z} = v - \frac{|v|}{g(v)} z, \quad \sigma_0 g(v) = f_c + (f_s - f_c) e^{-(v/v_s)^2}, "
        r"\quad f = \sigma_0 z + \sigma_1 \dot{z} + f_v v"
    ),
    "(4)": r"\dot{x} = v, \quad m \dot{v} = u - f",
    "(5)": r"f(v) = \left( f_c + (f_s - f_c) e^{-(v/v_s)^2} \right) \text{sign}(v) + f_v v",
    "(6)": r"\dot{x} = v, \quad \dot{v} = -p_0 v, \quad p_0 \gg 1, \quad f = u",
    "(7)": (
        r"C_{1 \to 0}: \left( u < f_c, \; 0 < v < \Sigma \right) \text{ or } "
        r"\left( u > -f_c, \; -\Sigma < v < 0 \right)"
    ),
    "(8)": r"C_{0 \to 1}: |u| > f_s",
    "(9)": r"|v(t_{1 \to 0} + t)| = \Sigma e^{-p_0 t}",
    "(10)": r"C_{0 \to 1}: |u| > f_s \text{ and } |v| < \Sigma_2",
    "(11)": r"p_0 > \frac{5}{T_s}, \quad \Sigma < \delta_x p_0, \quad m \Sigma > u_{max} T_{e max}",
    "(12)": (
        r"m \dot{v} = u - f, \quad \dot{z} = v - \frac{|v|}{g(v)} z, \quad f = \sigma_0 z + \sigma_1 \dot{z} + "
        r"\sigma_2 v, \quad \sigma_0 g(v) = f_c + (f_s - f_c) e^{-(v/v_s)^2}"
    ),
    "(13)": r"u = -K_p (x - x_d) - K_v v - K_i \int (x - x_d) dt, \quad |u| \le u_{max}",
    "(14)": (
        r"x = x_{1 \to 0} + z, \quad v = \dot{z}, \quad m \ddot{z} = u - f_{stick}, "
        r"\quad f_{stick} = k_2 \dot{z} + k_1 z"
    ),
    "(15)": (
        r"C_{0 \to 1}: \left( z > z_{max}, \; u > f_s \right) \text{ or } \left( z < -z_{max}, \; u < -f_s \right)"
    ),
    "(16)": r"k_1 = \frac{f_s}{z_{max}}",
    "(17)": (
        r"\frac{Z(s)}{U(s)} = \frac{1/k_1}{\frac{m}{k_1} s^2 + \frac{k_2}{k_1} s + 1} = "
        r"\frac{G}{\frac{s^2}{\omega_0^2} + \frac{2 \zeta}{\omega_0} s + 1}"
    ),
    "(18)": r"k_2 = 2 \sqrt{\frac{m f_s}{z_{max}}}",
    "(19)": r"\dot{x} = v, \quad \dot{v} = -p_0 v, \quad f = u",
    "(20)": r"\dot{x} = v, \quad m \dot{v} = u - f(v)",
    "(21)": r"f(v) = f_c \, \text{sign}(v) + f_v v",
    "(22)": (
        r"C_{1 \to 0}: \left( u < f_c, \; 0 < v < \Sigma \right) \text{ or } "
        r"\left( u > -f_c, \; -\Sigma < v < 0 \right)"
    ),
    "(23)": r"C_{0 \to 1}: |u| > f_s \text{ and } |v| < \Sigma_2",
    "(24)": (
        r"\Sigma_2 < \Sigma, \quad p_0 > \frac{5}{T_s}, \quad \Sigma < \delta_x p_0, "
        r"\quad m \Sigma > u_{max} T_{e max}"
    ),
    "(25)": (
        r"x = x_{1 \to 0} + z, \quad v = \dot{z}, \quad m \ddot{z} = u - f_{stick}(z), "
        r"\quad f_{stick}(z) = k_2 \dot{z} + k_1 z"
    ),
    "(26)": (
        r"C_{0 \to 1}: \left( z > z_{max}, \; u > f_s \right) \text{ or } \left( z < -z_{max}, \; u < -f_s \right)"
    ),
    "(27)": (
        r"k_1 = \frac{f_s}{z_{max}}, \quad k_2 = 2 \sqrt{\frac{m f_s}{z_{max}}}, "
        r"\quad m \Sigma > u_{max} T_{e max}"
    ),
}

_IDENTIFICATION = {
    "(28)": r"\dot{x} = v, \quad m \dot{v} = u - f_v v - f_c \, \text{sign}(v)",
    "(29)": (
        r"v_s(k) = \frac{x_s(k) - x_s(k-1)}{T_s}, \quad "
        r"a_s(k) = \frac{x_s(k) - 2 x_s(k-1) + x_s(k-2)}{T_s^2}"
    ),
    "(30)": r"\Delta v = \frac{\delta_x}{T_s}, \quad \Delta a = \frac{2 \delta_x}{T_s^2}",
    "(31)": r"\Delta m = m \frac{\Delta a}{a} = \frac{2 m^2 \delta_x}{T_s^2 u_{max}}",
    "(32)": r"y(k) = \left( u_s(k) - m a_s(k) \right) \text{sign}(v_s(k)) = f_v |v_s(k)| + f_c",
    "(33)": (
        r"y(k) = \left( u_s(k) - 2 \pi f_0 m V_0 \cos(2 \pi f_0 T_e k) \right) \text{sign}(\sin(2 \pi f_0 T_e k)) = "
        r"f_v |V_0 \sin(2 \pi f_0 T_e k)| + f_c"
    ),
    "(34)": r"\bar{y}_0 = \overline{u_s \text{sign}(v_s)} - \overline{m a_s \text{sign}(v_s)} = f_v \bar{v}_s + f_c",
    "(35)": r"\bar{y}_0 = \overline{u_s \text{sign}(v_s)} = f_v \frac{2 V_0}{\pi} + f_c",
    "(36)": r"\bar{y}_i = \frac{2 V_i}{\pi} f_v + f_c, \quad i = 0, 1",
    "(37)": r"\bar{y}_i = \frac{2 V_i}{\pi} f_v + f_c, \quad i = 0, ..., m",
}

_ACTUATOR = {
    "(38)": r"F_2(x) = \frac{S_m}{S_s} F_c(x_c), \quad x_c = \frac{S_m}{S_s} x",
    "(39)": (
        r"\dot{x} = r \nu \omega, \quad \dot{\theta} = \omega, \quad J \dot{\omega} = u - C_r \nu - C_d, "
        r"\quad \nu = \begin{cases} 1 & \text{teeth touch} \\ 0 & \text{within the play} \end{cases}"
    ),
    "(40)": r"C_r = \frac{r}{\eta} \left( F_2(x) - F_1(x) \tan(\alpha(x)) + F_f(F_1, \dot{x}, u) \right)",
    "(41)": r"F_f = F_c \left( 1 + \sigma e^{-(\dot{x}/v_s)^2} \right) \text{sign}(\dot{x}) + F_v \dot{x}",
    "(42)": r"V(\dot{x}) = \frac{J \dot{x}^2}{2 r \eta}",
    "(43)": (
        r"\dot{V} = \dot{x} \left( F_2(x) - F_1(x) \tan(\alpha(x)) - "
        r"\mu_c (1 + \sigma) F_1(x) \, \text{sign}(\dot{x}) \right)"
    ),
    "(44)": r"\mu_c > \frac{F_2(x) - F_1(x) \tan(\alpha(x))}{F_1(x) (1 + \sigma)}",
    "(45)": (
        r"\begin{cases} J \dot{\omega} = u - C_r(\theta, \text{sign}(\omega)) & \text{mode 1} \\ "
        r"\dot{\omega} = -p_0 \omega & \text{mode 0} \end{cases}, \quad C_r = \sum_i a_i^{\pm} \theta^i, "
        r"\quad C_s = \beta C_r"
    ),
    "(46)": (
        r"C_r(\theta, \text{sign}(\omega)) = \frac{\bar{C}_r}{\bar{C}_s} C_s(\theta, \text{sign}(\omega)) = "
        r"\frac{1}{\beta} C_s(\theta, \text{sign}(\omega))"
    ),
    "(47)": r"C_s^{+} = b_3^{+} \theta^3 + ... + b_0^{+}, \quad C_s^{-} = b_4^{-} \theta^4 + ... + b_0^{-}",
    "(48)": r"f_v(\omega) = \begin{cases} 0 & |\omega| < 240 \text{ rad/s} \\ f_v & \text{else} \end{cases}",
    "(49)": (
        r"C_r^{+}(\theta) = \frac{C_s^{+}(\theta)}{\beta^{+}}, \quad "
        r"C_r^{-}(\theta) = -\frac{C_s^{-}(\theta)}{\beta^{-}}"
    ),
}

EQUATIONS = {**_FRICTION, **_IDENTIFICATION, **_ACTUATOR}
"""By their numbers."""
