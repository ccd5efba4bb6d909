#include "polhode/projected/cvode.h"

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
  void* const cvode = memory_->cvode;
  require(CVodeInit(cvode, Callbacks::rates, 0, memory_->y), "CVodeInit");
  require(CVodeSetErrHandlerFn(cvode, say_nothing, nullptr), "CVodeSetErrHandlerFn");
  require(CVodeSetUserData(cvode, this), "CVodeSetUserData");
  require(CVodeWFtolerances(cvode, Callbacks::weights), "CVodeWFtolerances");
  require(CVodeSetLinearSolver(cvode, memory_->solver, memory_->matrix), "CVodeSetLinearSolver");
  require(CVodeSetMaxStep(cvode, options.largest_step), "CVodeSetMaxStep");
  if (needs_projection()) {
    require(CVodeSetProjFn(cvode, Callbacks::project), "CVodeSetProjFn");
    require(CVodeSetProjErrEst(cvode, 1), "CVodeSetProjErrEst");
  }
  // A turn by theta changes a quaternion by theta/2.
  unit_weights_.assign(std::size_t(system_.num_q()), 1.0);
  for (const Charts::Curved& c : system_.charts().curved())
    if (c.nq > c.nchart) std::fill_n(unit_weights_.begin() + c.first_q, 4, 2.0);
  set(State(mechanism));
}

Cvode::~Cvode() = default;

bool Cvode::needs_projection() const { return !system_.charts().all_flat(); }

bool Cvode::rates(double t, const double* y, double* y_dot) {
  const std::size_t nq = std::size_t(system_.num_q()), nu = std::size_t(system_.num_u());
  if (size() == 0) {
    y_dot[0] = 0;
    return true;
  }
  ++statistics_.evaluations;
  const double *const u = y + nq, *const z = u + nu;
  std::copy_n(y, nq, q_.begin());
  system_.charts().normalize(q_.data());
  if (!system_.derivatives(t, q_.data(), u, z, y_dot + nq, y_dot + nq + nu)) return false;
  tree::coordinate_rates(system_.mechanism(), {y, nq}, {u, nu}, {y_dot, nq});
  return true;
}

/// CVODE accepts a step when the root mean square of all weighted errors is below one. The three parts are weighted so that
/// this implies the same of each part by itself. A tenth of the accuracy is asked for: its formulas keep the solution that the
/// estimate belongs to, where the others keep a better one, and errors of some hundred times the tolerance were measured in
/// runs in which theirs were ten times the accuracy.
void Cvode::weights(const double* y, double* w) const {
  const int nq = system_.num_q(), nu = system_.num_u(), nz = system_.num_z(), n = std::max(1, size());
  if (size() == 0) w[0] = 1;
  const auto part = [&](int of_part) { return std::sqrt(double(n) / std::max(1, of_part)) / (0.1 * options_.accuracy); };
  for (int i = 0; i < nq; ++i) w[i] = part(nq) * unit_weights_[std::size_t(i)];
  for (int i = nq; i < nq + nu; ++i) w[i] = part(nu) / std::max(1.0, std::abs(y[i]));
  for (int i = nq + nu; i < nq + nu + nz; ++i) w[i] = part(nz) / std::max(1.0, std::abs(y[i]));
}

bool Cvode::project(double, const double* y, double* correction, double* error) {
  const int nq = system_.num_q();
  std::copy_n(y, nq, q_.begin());
  system_.charts().normalize(q_.data());
  std::fill_n(correction, size(), 0.0);
  for (int i = 0; i < nq; ++i) correction[i] = q_[std::size_t(i)] - y[i];
  if (error)
    for (const Charts::Curved& c : system_.charts().curved()) {
      if (c.nq == c.nchart) continue;
      // (10.13): no error along the quaternion.
      double along = 0;
      for (int i = c.first_q; i < c.first_q + 4; ++i) along += error[i] * q_[std::size_t(i)];
      for (int i = c.first_q; i < c.first_q + 4; ++i) error[i] -= along * q_[std::size_t(i)];
    }
  return true;
}

StepReport Cvode::advance(double t_limit) {
  const std::size_t nq = std::size_t(system_.num_q());
  void* const cvode = memory_->cvode;
  double* const y = N_VGetArrayPointer(memory_->y);
  if (t_limit - t1_ <= 16 * eps * std::max(1.0, std::abs(t1_))) {
    const double h = t_limit - t1_;  // shorter than time can tell
    t0_ = t1_ = t_limit;
    fresh_ = true;
    count_step(h);
    return {StepReport::Status::done, t1_, h, 0, -1};
  }
  if (fresh_) {
    std::copy(q1_.begin(), q1_.end(), y);
    std::copy(v1_.begin(), v1_.end(), y + nq);
    require(CVodeReInit(cvode, t1_, memory_->y), "CVodeReInit");
    failed_tests_ = 0;
    fresh_ = false;
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
  if (flag < 0) return failure(flag);

  std::copy_n(y, nq, q1_.begin());
  std::copy(y + nq, y + size(), v1_.begin());
  t0_ = t1_;
  t1_ = std::min(t, t_limit);
  count_step(t1_ - t0_);
  return {StepReport::Status::done, t1_, t1_ - t0_, 0, -1};
}

StepReport Cvode::failure(int flag) {
  double h = 0;
  CVodeGetCurrentStep(memory_->cvode, &h);
  using Status = StepReport::Status;
  Status status = Status::no_convergence;
  if (flag == CV_FIRST_RHSFUNC_ERR || flag == CV_REPTD_RHSFUNC_ERR || flag == CV_UNREC_RHSFUNC_ERR) status = Status::not_finite;
  if (flag == CV_ERR_FAILURE || flag == CV_TOO_MUCH_ACC) status = Status::too_small;
  return {status, t1_, h, 0, -1};
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
  std::copy_n(y, nq, q);
  std::copy(y + nq, y + size(), v);
  system_.charts().normalize(q);
}

}  // namespace polhode::projected
