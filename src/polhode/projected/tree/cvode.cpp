#include "polhode/projected/tree/cvode.h"

#include <cvode/cvode.h>
#include <cvode/cvode_proj.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "polhode/tree/dynamics.h"

namespace polhode::projected {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

/// SUNDIALS' functions fail only when they are called wrongly or memory runs out.
void require(int flag, const char* what) {
  if (flag != 0) throw std::runtime_error(std::string("SUNDIALS: ") + what + " failed");
}

void say_nothing(int, const char*, const char*, char*, void*) {}

}  // namespace

struct Cvode::Memory {
  SUNContext context = nullptr;
  void* cvode = nullptr;
  N_Vector y = nullptr;
  SUNMatrix matrix = nullptr;
  SUNLinearSolver solver = nullptr;

  explicit Memory(int n) {
    require(SUNContext_Create(nullptr, &context), "a context");
    y = N_VNew_Serial(n, context);
    matrix = SUNDenseMatrix(n, n, context);
    cvode = CVodeCreate(CV_BDF, context);
    if (!y || !matrix || !cvode) throw std::bad_alloc();
    solver = SUNLinSol_Dense(y, matrix, context);
    if (!solver) throw std::bad_alloc();
    N_VConst(0, y);
  }
  ~Memory() {
    if (cvode) CVodeFree(&cvode);
    if (solver) SUNLinSolFree(solver);
    if (matrix) SUNMatDestroy(matrix);
    if (y) N_VDestroy(y);
    SUNContext_Free(&context);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
};

/// SUNDIALS is written in C: nothing may be thrown through it. Results: 0 done, 1 try a smaller step, -1 give up.
struct Cvode::Callbacks {
  template <class Work>
  static int guarded(void* self, Work work) {
    Cvode& cvode = *static_cast<Cvode*>(self);
    try {
      return work(cvode) ? 0 : 1;
    } catch (...) {
      cvode.thrown_ = std::current_exception();
      return -1;
    }
  }
  static int rates(double t, N_Vector y, N_Vector y_dot, void* self) {
    return guarded(self, [&](Cvode& c) { return c.rates(t, N_VGetArrayPointer(y), N_VGetArrayPointer(y_dot)); });
  }
  static int weights(N_Vector y, N_Vector w, void* self) {
    static_cast<Cvode*>(self)->weights(N_VGetArrayPointer(y), N_VGetArrayPointer(w));
    return 0;
  }
  static int project(double t, N_Vector y, N_Vector correction, double, N_Vector error, void* self) {
    return guarded(self, [&](Cvode& c) {
      return c.project(t, N_VGetArrayPointer(y), N_VGetArrayPointer(correction), error ? N_VGetArrayPointer(error) : nullptr);
    });
  }
};

Cvode::Cvode(const Mechanism& mechanism, const Options& options) : Integrator(mechanism, options) {
  // A mechanism without any motion still has time; SUNDIALS wants a variable for that.
  memory_ = std::make_unique<Memory>(std::max(1, size()));
  q_ = q1_, v_ = v1_;
  along_.resize(std::size_t(system_.num_u()));
  for (Vector* y : {&y_, &jump_}) y->resize(std::size_t(std::max(1, size())));
  shift_.resize(std::size_t(size()));
  void* const cvode = memory_->cvode;
  require(CVodeInit(cvode, Callbacks::rates, 0, memory_->y), "CVodeInit");
  require(CVodeSetErrHandlerFn(cvode, say_nothing, nullptr), "CVodeSetErrHandlerFn");
  require(CVodeSetUserData(cvode, this), "CVodeSetUserData");
  require(CVodeWFtolerances(cvode, Callbacks::weights), "CVodeWFtolerances");
  require(CVodeSetLinearSolver(cvode, memory_->solver, memory_->matrix), "CVodeSetLinearSolver");
  // Newton's iteration may leave a thousandth of the error allowed, not CVODE's tenth: it is not part of the error estimate,
  // and made errors jump by a factor of ten now and then.
  require(CVodeSetNonlinConvCoef(cvode, 1e-3), "CVodeSetNonlinConvCoef");
  require(CVodeSetMaxStep(cvode, options.largest_step), "CVodeSetMaxStep");
  // Always: which constraints are enabled and which joints locked may change with the next set().
  require(CVodeSetProjFn(cvode, Callbacks::project), "CVodeSetProjFn");
  require(CVodeSetProjErrEst(cvode, 1), "CVodeSetProjErrEst");
  // A turn by theta changes a quaternion by theta/2.
  unit_weights_.assign(std::size_t(system_.num_q()), 1.0);
  for (const Joint& joint : mechanism.joints())
    for (int i = 0; i < joint.nq; ++i) {
      const bool redundant = joint.nq > joint.nchart, turns = redundant && i < 4;
      const int chart = joint.first_chart + (turns ? 0 : i - (redundant ? 1 : 0));
      unit_weights_[std::size_t(joint.first_q + i)] = (turns ? 2.0 : 1.0) / system_.unit_chart()[std::size_t(chart)];
    }
  set(State(mechanism));
}

Cvode::~Cvode() = default;

/// What CVODE integrates is Y; y, which moves, is that and the shift.
bool Cvode::rates(double t, const double* Y, double* Y_dot) {
  if (size() == 0) {
    Y_dot[0] = 0;
    return true;
  }
  std::copy_n(Y, size(), y_.begin());
  shift_.add(t, y_.data());
  if (!rates_at(t, y_.data(), Y_dot)) return false;
  shift_.subtract_rate(t, Y_dot);
  return true;
}

bool Cvode::rates_at(double t, const double* y, double* y_dot) {
  const std::size_t nq = std::size_t(system_.num_q()), nu = std::size_t(system_.num_u());
  ++statistics_.evaluations;
  std::copy_n(y, nq, q_.begin());
  std::copy_n(y + nq, v_.size(), v_.begin());
  system_.charts().normalize(q_.data());
  if (!system_.prescribe(t, q_.data(), v_.data(), v_.data() + nu)) return false;
  if (!system_.derivatives(t, q_.data(), v_.data(), v_.data() + nu, y_dot + nq, y_dot + nq + nu)) return false;
  tree::coordinate_rates(system_.mechanism(), {y, nq}, {v_.data(), nu}, {y_dot, nq});
  return true;
}

/// CVODE accepts a step when the root mean square of all weighted errors is below one. The three parts are weighted so that
/// this implies the same of each part by itself. A tenth of the accuracy is asked for: its formulas keep the solution that the
/// estimate belongs to, where the others keep a better one, and errors of some hundred times the tolerance were measured in
/// runs in which theirs were ten times the accuracy.
void Cvode::weights(const double* Y, double* w) const {
  double* const y = y_.data();
  std::copy_n(Y, size(), y);
  shift_.add(t1_, y);
  const int nq = system_.num_q(), nu = system_.num_u(), nz = system_.num_z(), n = std::max(1, size());
  if (size() == 0) w[0] = 1;
  const auto part = [&](int of_part) { return std::sqrt(double(n) / std::max(1, of_part)) / (0.1 * options_.accuracy); };
  for (int i = 0; i < nq; ++i) w[i] = part(nq) * unit_weights_[std::size_t(i)];
  for (int i = nq; i < nq + nu; ++i) w[i] = part(nu) / std::max(system_.unit_uz()[std::size_t(i - nq)], std::abs(y[i]));
  for (int i = nq + nu; i < nq + nu + nz; ++i)
    w[i] = part(nz) / std::max(system_.unit_uz()[std::size_t(i - nq)], std::abs(y[i]));
}

bool Cvode::project(double t, const double* Y, double* correction, double* error) {
  const std::size_t nq = std::size_t(system_.num_q()), nu = std::size_t(system_.num_u());
  if (size() == 0) {
    correction[0] = 0;
    return true;
  }
  double* const y = y_.data();
  std::copy_n(Y, size(), y);
  shift_.add(t, y);
  std::copy_n(y, nq, q_.begin());
  std::copy_n(y + nq, v_.size(), v_.begin());
  system_.charts().normalize(q_.data());
  if (!system_.project(t, q_.data(), v_.data(), v_.data() + nu)) return false;
  for (std::size_t i = 0; i < nq; ++i) correction[i] = q_[i] - y[i];
  for (std::size_t i = 0; i < v_.size(); ++i) correction[nq + i] = v_[i] - y[nq + i];
  if (!error) return true;
  // There and back: N N^+ also takes out the error along quaternions, (10.13).
  tree::speeds_of_rates(system_.mechanism(), q_, {error, nq}, along_);
  system_.project_error_along_speeds(along_.data(), error + nq);
  tree::coordinate_rates(system_.mechanism(), q_, along_, {error, nq});
  return true;
}

/// From (t1, q1, v1), at order one.
void Cvode::begin() {
  double* const y = N_VGetArrayPointer(memory_->y);
  shift_.forget();
  std::copy(q1_.begin(), q1_.end(), y);
  std::copy(v1_.begin(), v1_.end(), y + q1_.size());
  require(CVodeReInit(memory_->cvode, t1_, memory_->y), "CVodeReInit");
  failed_tests_ = 0;
  fresh_ = false;
}

/// Rates are other ones from t1 on. Those before are what the past's polynomial says; coordinates' rates do not jump, their
/// second derivatives do, as speeds' rates do. Fast coordinates jump themselves.
void Cvode::take_jump() {
  const std::size_t nq = q1_.size(), nu = std::size_t(system_.num_u());
  double* const before = N_VGetArrayPointer(memory_->y);
  fresh_ = fresh_ || system_.has_fast() || size() == 0 || CVodeGetDky(memory_->cvode, t1_, 1, memory_->y) != CV_SUCCESS;
  if (fresh_) return;
  std::copy(q1_.begin(), q1_.end(), y_.begin());
  std::copy(v1_.begin(), v1_.end(), y_.begin() + std::ptrdiff_t(nq));
  shift_.move_to(t1_);
  fresh_ = !rates_at(t1_, y_.data(), jump_.data()) || shift_.is_large(q1_, v1_);
  if (fresh_) return;
  for (std::size_t i = nq; i < jump_.size(); ++i) jump_[i] -= before[i] + shift_.rate(i);
  tree::coordinate_rates(system_.mechanism(), q1_, {jump_.data() + nq, nu}, {jump_.data(), nq});
  has_jumped_ = true;
  for (std::size_t i = 0; i < jump_.size(); ++i) shift_.add_jump(i, i < nq ? 0 : jump_[i], i < nq ? jump_[i] : 0);
}

StepReport Cvode::advance(double t_limit) {
  const std::size_t nq = std::size_t(system_.num_q());
  void* const cvode = memory_->cvode;
  double* const y = N_VGetArrayPointer(memory_->y);
  if (take_outside()) take_jump();
  if (t_limit - t1_ <= 16 * eps * std::max(1.0, std::abs(t1_))) {
    const double h = t_limit - t1_;  // shorter than time can tell
    t0_ = t1_ = t_limit;
    fresh_ = true;
    count_step(h);
    return {StepReport::Status::done, t1_, h, 0, -1};
  }
  if (fresh_) {
    q_ = q1_, v_ = v1_;
    if (!system_.project(t1_, q_.data(), v_.data(), v_.data() + system_.num_u())) return failed(Outcome::off_constraints, 0);
    q1_ = q_, v1_ = v_;
    begin();
  }
  CVodeSetStopTime(cvode, t_limit);
  double t = t1_;
  thrown_ = nullptr;
  const int flag = CVode(cvode, t_limit, memory_->y, &t, CV_ONE_STEP);
  if (thrown_) std::rethrow_exception(thrown_);

  long tests = 0, solves = 0;
  CVodeGetNumErrTestFails(cvode, &tests);
  CVodeGetNumStepSolveFails(cvode, &solves);
  statistics_.rejected += tests + solves - failed_tests_;
  failed_tests_ = tests + solves;
  if (flag < 0 && has_jumped_) {  // the past may be of no use all the same
    has_jumped_ = false;
    fresh_ = true;
    return advance(t_limit);
  }
  has_jumped_ = false;
  if (flag < 0) return failure(flag);

  std::copy_n(y, size(), y_.begin());
  shift_.add(t, y_.data());
  std::copy_n(y_.begin(), nq, q1_.begin());
  std::copy_n(y_.begin() + std::ptrdiff_t(nq), v1_.size(), v1_.begin());
  t0_ = t1_;
  t1_ = std::min(t, t_limit);
  std::copy_n(system_.motion_forces().begin(), driving_forces_.size(), driving_forces_.begin());
  count_step(t1_ - t0_);
  // CVODE takes steps of one unit in the last place where a singularity is near, for as long as it is let.
  const bool tiny = t1_ < t_limit && t1_ - t0_ <= 16 * eps * std::max(1.0, std::abs(t1_));
  tiny_steps_ = tiny ? tiny_steps_ + 1 : 0;
  if (tiny_steps_ > 10) return {StepReport::Status::too_small, t1_, t1_ - t0_, 0, worst_speed()};
  return {StepReport::Status::done, t1_, t1_ - t0_, 0, -1};
}

StepReport Cvode::failure(int flag) {
  double h = 0;
  CVodeGetCurrentStep(memory_->cvode, &h);
  using Status = StepReport::Status;
  Status status = Status::no_convergence;
  const bool projection = flag == CV_PROJFUNC_FAIL || flag == CV_REPTD_PROJFUNC_ERR;
  last_failure_ = projection ? Outcome::off_constraints : Outcome::no_convergence;
  if (flag == CV_FIRST_RHSFUNC_ERR || flag == CV_REPTD_RHSFUNC_ERR || flag == CV_UNREC_RHSFUNC_ERR) status = Status::not_finite;
  if (flag == CV_ERR_FAILURE || flag == CV_TOO_MUCH_ACC) status = Status::too_small;
  return {status, t1_, h, 0, -1};
}

bool Cvode::remember(polhode::Memory& memory) {
  Integrator::remember(memory);
  if (memory.restores()) restart();
  return false;
}

void Cvode::interpolant(double t, double* q, double* v) const {
  const std::size_t nq = std::size_t(system_.num_q());
  // Its memory is free between steps: y is read from q1 and v1 when it is started anew, and written by each step.
  double* const y = N_VGetArrayPointer(memory_->y);
  if (CVodeGetDky(memory_->cvode, t, 0, memory_->y) != CV_SUCCESS) {
    std::copy(q1_.begin(), q1_.end(), q);
    std::copy(v1_.begin(), v1_.end(), v);
    return;
  }
  shift_.add(t, y);
  std::copy_n(y, nq, q);
  std::copy(y + nq, y + size(), v);
  system_.charts().normalize(q);
}

}  // namespace polhode::projected
