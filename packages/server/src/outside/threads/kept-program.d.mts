import type { BuildOptions } from 'esbuild';

/**
 * Returns the bundled program, cached until a source changes. Name `folder` after its content; each
 * file in it needs one fixed set of options.
 */
export function keptProgram(file: string, folder: string, options: BuildOptions): string;
/**
 * Writes a whole file in one step, so that a reader never sees a part of it, even if others write
 * the file at the same time.
 */
export function writeWhole(file: string, text: string): void;
