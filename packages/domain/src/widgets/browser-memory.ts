/**
 * The memory of a browser over all of its processes, and the process to end if that is too much.
 * Pages of the program itself are mapped in every process but are in memory once, so a process
 * counts its mapped files only beyond the size of a program.
 */
import { bytesText } from '../health/health-words.ts';

export interface ProcessMemory {
  readonly pid: number;
  /** Whether it is a renderer, so that ending it ends only a page. */
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
 * Returns undefined while the processes are within the bound. Ending a process that renders no page
 * ends the whole browser.
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
