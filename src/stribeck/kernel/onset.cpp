// The onset of sliding of many ramps, for several sets of parameters.

#include "binding.h"

extern "C" {
#include "sb_onset.h"
}

namespace {

// cases x ramps x parameters -> travel at the instants (cases x ramps x data), its slopes (x parameters), and the largest
// friction with its slopes (cases x ramps x (1 + parameters)). spans: first, last and largest drive of each ramp.
nb::tuple onset(const Input &drive, const Input &impulse, const Input &when, const Input &spans, const Input &at,
                const Input &param)
{
    const size_t ramps = at.ndim() == 2 ? at.shape(0) : 0;
    const size_t data = at.ndim() == 2 ? at.shape(1) : 0;
    const size_t cases = param.ndim() == 3 ? param.shape(0) : 0;
    expect(drive.size(), int(ramps) * SB_ONSET_TABLE, "drive");
    expect(impulse.size(), int(ramps) * SB_ONSET_TABLE, "impulse");
    expect(when.size(), int(ramps) * SB_ONSET_TABLE, "when");
    expect(spans.size(), int(ramps) * 3, "spans");
    expect(param.size(), int(cases * ramps) * SB_ONSET_PARAMETERS, "param");
    Output travel = new_array({cases, ramps, data});
    Output slopes = new_array({cases, ramps, data, size_t(SB_ONSET_PARAMETERS)});
    Output force = new_array({cases, ramps, size_t(1 + SB_ONSET_PARAMETERS)});
    {
        nb::gil_scoped_release release;
        for (size_t k = 0; k < cases * ramps; ++k) {
            const size_t r = k % ramps;
            const double *span = spans.data() + 3 * r;
            const size_t table = r * SB_ONSET_TABLE;
            const sb_onset_ramp ramp = {drive.data() + table,
                                        impulse.data() + table,
                                        when.data() + table,
                                        span[0],
                                        span[1],
                                        span[2],
                                        at.data() + r * data,
                                        data};
            sb_onset(&ramp, param.data() + k * SB_ONSET_PARAMETERS, travel.data() + k * data,
                     slopes.data() + k * data * SB_ONSET_PARAMETERS, force.data() + k * (1 + SB_ONSET_PARAMETERS));
        }
    }
    return nb::make_tuple(travel, slopes, force);
}

} // namespace

void bind_onset(nb::module_ &mod)
{
    mod.attr("ONSET_TABLE") = int(SB_ONSET_TABLE);
    mod.def("onset", &onset, nb::arg("drive"), nb::arg("impulse"), nb::arg("when"), nb::arg("spans"), nb::arg("at"),
            nb::arg("param"));
}
