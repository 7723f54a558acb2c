/** Draws the pictures of image samples: small PNGs that depend only on the sample's id and date. */
import { crc32, deflateSync } from 'node:zlib';
import { seededHash } from './seed/seededNoise.js';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const SKY_SHADES = 32;
const GROUND = SKY_SHADES;
const SUN = SKY_SHADES + 1;
const ANIMAL = SKY_SHADES + 2;
const WATER = SKY_SHADES + 3;

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** With compression level 0 the length depends only on the dimensions, so that listing images does not draw them. */
function encode(width: number, height: number, palette: Buffer, rows: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8); // 8 bits per pixel, with a palette
  const data = deflateSync(rows, { level: 0 });
  const chunks = [chunk('IHDR', header), chunk('PLTE', palette), chunk('IDAT', data)];
  return Buffer.concat([SIGNATURE, ...chunks, chunk('IEND', Buffer.alloc(0))]);
}

/** @param daylight 0 at night to 1 at noon. */
function createPalette(daylight: number): Buffer {
  const palette = Buffer.alloc((WATER + 1) * 3);
  const light = 0.15 + 0.85 * daylight;
  for (let shade = 0; shade < SKY_SHADES; shade++) {
    const down = shade / SKY_SHADES;
    palette.set([(90 + 130 * down) * light, (140 + 80 * down) * light, 230 * light], shade * 3);
  }
  palette.set([86 * light, 125 * light, 60 * light], GROUND * 3);
  palette.set(daylight > 0.1 ? [255, 226, 120] : [226, 230, 240], SUN * 3);
  palette.set([70 * light, 50 * light, 40 * light], ANIMAL * 3);
  palette.set([50 * light, 110 * light, 170 * light], WATER * 3);
  return palette;
}

type Scene = ReturnType<typeof createScene>;

function createScene(id: number, width: number, height: number, daylight: number) {
  const horizon = Math.round(height * 0.62);
  const sun = {
    x: seededHash(id, 1) % width,
    y: Math.round(horizon * (1 - 0.8 * daylight)),
    radius: height / 14,
  };
  const animals = Array.from({ length: seededHash(id, 2) % 7 }, (_, index) => ({
    x: seededHash(id, 3, index) % width,
    y: horizon + 4 + (seededHash(id, 4, index) % Math.max(1, height - horizon - 12)),
  }));
  return { horizon, sun, animals, shore: height - 4 - (seededHash(id, 5) % 10) };
}

function colourAt(scene: Scene, x: number, y: number): number {
  if (
    scene.animals.some((animal) => x >= animal.x && x < animal.x + 8 && y >= animal.y && y < animal.y + 4)
  ) {
    return ANIMAL;
  }
  if (y >= scene.shore) return WATER;
  if (y >= scene.horizon) return GROUND;
  const { sun } = scene;
  if ((x - sun.x) ** 2 + (y - sun.y) ** 2 <= sun.radius ** 2) return SUN;
  return Math.floor((y / scene.horizon) * (SKY_SHADES - 1));
}

/** Draws an image as PNG. Equal arguments give equal bytes. `sampleDate` is in Unix seconds. */
export function drawImage(image: { id: number; sampleDate: number; width: number; height: number }): Buffer {
  const { id, width, height } = image;
  const daylight = Math.max(0, Math.sin(2 * Math.PI * ((image.sampleDate % 86_400) / 86_400 - 0.25)));
  const scene = createScene(id, width, height, daylight);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = colourAt(scene, x, y);
  }
  return encode(width, height, createPalette(daylight), rows);
}

const sizes = new Map<string, number>();

/** The bytes of any image with these dimensions in pixels. */
export function imageSize(width: number, height: number): number {
  const key = `${width}x${height}`;
  const cached = sizes.get(key);
  if (cached !== undefined) return cached;
  const size = encode(width, height, createPalette(0), Buffer.alloc((width + 1) * height)).length;
  sizes.set(key, size);
  return size;
}
