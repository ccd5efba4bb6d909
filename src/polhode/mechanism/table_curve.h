#pragma once
#include <vector>

namespace polhode {

/// A curve through points, of cubic pieces that meet without a gap, straight beyond the points; with its exact integral.
class TableCurve {
 public:
  /// Both keep between the points what the points say: where they rise the curve rises, where they stay it stays.
  enum class Joining {
    monotone,  ///< its slope is continuous: at each point a mean of the slopes to both sides, zero where these differ in sign
    linear     ///< straight pieces
  };
  /// At least two points, x increasing, all finite: the caller has checked that.
  TableCurve(std::vector<double> x, std::vector<double> y, Joining joining);

  double value(double x) const;
  double slope(double x) const;  ///< at a point where pieces of different slopes meet, that to the right
  /// From the first point to x; negative before it.
  double integral(double x) const;

 private:
  /// On x0 + s: y0 + s (c1 + s (c2 + s c3)).
  struct Piece {
    double x0, y0, c1, c2, c3;
    double area;  ///< from the first point to x0
  };
  const Piece& at(double x) const;

  std::vector<Piece> pieces_;  ///< the first and the last are the straight ones beyond the points
};

}  // namespace polhode
