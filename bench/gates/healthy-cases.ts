/** Cases that pass a known share of their trials, in a sequence that a seed decides. */
import { chanceOf } from '../capacity/chance.ts';

export const healthyRate = 0.95;

export function promptOfCase(index: number): string {
  return `Case ${index}: how warm is it in Brno?`;
}

export function caseOfPrompt(text: string): number {
  const [, index] = /Case (\d+):/.exec(text) ?? [];
  if (index === undefined) throw new Error(`No case in ${text}`);
  return Number(index);
}

/** Returns a function that tells of one trial after the other whether it passes. */
export function resultsOfCase(seed: number, index: number): () => boolean {
  const chance = chanceOf(seed * 1000 + index);
  return () => chance() < healthyRate;
}
