export function palettePng(png: Buffer): Buffer;
