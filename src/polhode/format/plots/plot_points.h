#pragma once
#include "polhode/format/plots/plot.h"

/// Which points of a series are drawn. All of this is in the measures of the axes; thinned() is in plot.h.
namespace polhode::format {

/// The same name and look, no points.
PlotSeries without_points(const PlotSeries& series);

/// Every so many points, and the last.
PlotSeries spread(const PlotSeries& series, int most);

/// What lies between low and high: lines end where they leave, and there is a gap until they come back.
PlotSeries cut(const PlotSeries& series, double low, double high);

}  // namespace polhode::format
