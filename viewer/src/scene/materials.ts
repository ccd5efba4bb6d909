import { MeshDepthMaterial, MeshStandardMaterial, RGBADepthPacking, type Material } from "three";

/** See geometries.ts: vertices are moved by `rounding` times the least stretch of the instance, and normals are not stretched. */
export function keepRound(material: Material): void {
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace(
        "#include <common>",
        `#include <common>
attribute vec3 rounding;
vec3 stretchOf(mat4 m) { return max(vec3(length(m[0].xyz), length(m[1].xyz), length(m[2].xyz)), vec3(1e-20)); }`,
      )
      .replace(
        "#include <beginnormal_vertex>",
        `#include <beginnormal_vertex>
objectNormal *= stretchOf(instanceMatrix);`,
      )
      .replace(
        "#include <begin_vertex>",
        `#include <begin_vertex>
vec3 stretch = stretchOf(instanceMatrix);
transformed += rounding * min(stretch.x, min(stretch.y, stretch.z)) / stretch;`,
      );
  };
  material.customProgramCacheKey = () => "keep-round";
}

export interface MaterialOptions {
  rounded: boolean;
  vertexColors: boolean;
  opacity: number;
}

export function surface({ rounded, vertexColors, opacity }: MaterialOptions): MeshStandardMaterial {
  const material = new MeshStandardMaterial({ roughness: 0.62, metalness: 0.02, vertexColors });
  if (opacity < 1) {
    material.transparent = true;
    material.opacity = opacity;
  }
  if (rounded) keepRound(material);
  return material;
}

/** For the shadows of what keeps its roundness. */
export function roundedDepth(): MeshDepthMaterial {
  const material = new MeshDepthMaterial({ depthPacking: RGBADepthPacking });
  keepRound(material);
  return material;
}
