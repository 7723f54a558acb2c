/** Draws the pictures of image samples: small PNGs that depend only on the sample's id and date. */
import { crc32, deflateSync } from 'node:zlib';
import { seededHash } from './seed/seededNoise.js';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const SKY_SHADES = 32;
const GROUND = SKY_SHADES;

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
  const palette = Buffer.alloc((GROUND + 1) * 3);
  const light = 0.15 + 0.85 * daylight;
  for (let shade = 0; shade < SKY_SHADES; shade++) {
    const down = shade / SKY_SHADES;
    palette.set([(90 + 130 * down) * light, (140 + 80 * down) * light, 230 * light], shade * 3);
  }
  palette.set([86 * light, 125 * light, 60 * light], GROUND * 3);
  return palette;
}

/** Draws the sky over the ground as PNG. Equal arguments give equal bytes. `sampleDate` is in Unix seconds. */
export function drawImage(image: { id: number; sampleDate: number; width: number; height: number }): Buffer {
  const { id, width, height } = image;
  const daylight = Math.max(0, Math.sin(2 * Math.PI * ((image.sampleDate % 86_400) / 86_400 - 0.25)));
  const horizon = Math.round((height * (50 + (seededHash(id, 1) % 30))) / 100);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) {
    const colour = y < horizon ? Math.floor((y / horizon) * SKY_SHADES) : GROUND;
    const start = y * (width + 1) + 1;
    rows.fill(colour, start, start + width);
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
