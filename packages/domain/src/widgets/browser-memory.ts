/**
 * Computes the memory of a browser over all its processes and picks the process to end if the sum
 * is too large. The pages of the browser's program file are mapped in every process but exist in
 * memory only once. So mapped files count only beyond the size of the program file.
 */
import { bytesText } from '../health/health-words.ts';

export interface ProcessMemory {
  readonly pid: number;
  /** Ending a renderer closes only a page, not the browser. */
  readonly isRenderer: boolean;
  readonly anonymousBytes: number;
  readonly sharedBytes: number;
  readonly fileBytes: number;
}

export const defaultWidgetMemoryMb = 2048;
const programBytes = 256 * 1024 * 1024;

export function memoryOf({ anonymousBytes, sharedBytes, fileBytes }: ProcessMemory): number {
  return anonymousBytes + sharedBytes + Math.max(0, fileBytes - programBytes);
}

/**
 * Returns undefined while the memory is within the limit. `endRenderer` is the pid of the largest
 * process if it is a renderer. If it is undefined, the whole browser must be ended.
 */
export function tooMuchMemory(
  processes: readonly ProcessMemory[],
  boundBytes: number,
): { readonly totalBytes: number; readonly endRenderer: number | undefined } | undefined {
  const totalBytes = processes.reduce((sum, one) => sum + memoryOf(one), 0);
  if (totalBytes <= boundBytes) return undefined;
  const [largest] = [...processes].sort((a, b) => memoryOf(b) - memoryOf(a));
  return { totalBytes, endRenderer: largest?.isRenderer === true ? largest.pid : undefined };
}

export function tooMuchMemoryText(totalBytes: number, boundBytes: number): string {
  return `The browser of the widget used ${bytesText(totalBytes)} of memory; at most ${bytesText(boundBytes)} are allowed.`;
}
