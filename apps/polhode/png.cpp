#include "png.h"

#include <cairo.h>
#include <fmt/format.h>
#include <librsvg/rsvg.h>

#include <cmath>
#include <memory>
#include <stdexcept>

#include "output.h"

namespace polhode::cli {
namespace {

template <auto release>
struct With {
  template <class T>
  void operator()(T* thing) const {
    release(thing);
  }
};
using Handle = std::unique_ptr<RsvgHandle, With<g_object_unref>>;
using Surface = std::unique_ptr<cairo_surface_t, With<cairo_surface_destroy>>;
using Context = std::unique_ptr<cairo_t, With<cairo_destroy>>;

[[noreturn]] void refuse(const std::string& why) { throw std::runtime_error("the picture cannot be drawn: " + why); }

/// What a call of GLib left, which is to be freed.
std::string taken(GError* error) {
  std::string text = error != nullptr ? error->message : "unknown reason";
  g_clear_error(&error);
  return text;
}

Handle read(const std::string& svg) {
  GError* error = nullptr;
  Handle handle(rsvg_handle_new_from_data(reinterpret_cast<const guint8*>(svg.data()), svg.size(), &error));
  if (!handle) refuse(taken(error));
  return handle;
}

cairo_status_t append(void* text, const unsigned char* bytes, unsigned size) {
  static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(bytes), size);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

void write_png(const std::string& file, const std::string& svg, int width) {
  const Handle handle = read(svg);
  double own_width = 0, own_height = 0;
  if (rsvg_handle_get_intrinsic_size_in_pixels(handle.get(), &own_width, &own_height) == 0) refuse("it has no size");
  const int height = int(std::lround(width * own_height / own_width));

  const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height));
  const Context context(cairo_create(surface.get()));
  const RsvgRectangle whole{0, 0, double(width), double(height)};
  GError* error = nullptr;
  if (rsvg_handle_render_document(handle.get(), context.get(), &whole, &error) == 0) refuse(taken(error));

  std::string png;
  const cairo_status_t status = cairo_surface_write_to_png_stream(surface.get(), append, &png);
  if (status != CAIRO_STATUS_SUCCESS) refuse(cairo_status_to_string(status));
  write_text(file, png);
}

}  // namespace polhode::cli
