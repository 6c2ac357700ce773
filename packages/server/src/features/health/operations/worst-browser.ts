/** Of the browsers of several workers, the one to look at first: health speaks of one. */
import type { BrowserLook } from './look-at-browser.ts';

export interface BrowserOfWorker {
  readonly look: BrowserLook;
  readonly host: string;
  readonly processId: number;
}

export function worstBrowser(
  browsers: readonly BrowserOfWorker[],
): { readonly look: BrowserLook; readonly foundBy: string } | undefined {
  const [worst] = [...browsers].sort((one, other) => standing(one.look) - standing(other.look));
  if (worst === undefined) return undefined;
  const { look, host, processId } = worst;
  return { look, foundBy: `process ${processId} on ${host}` };
}

function standing({ facts, shown }: BrowserLook): number {
  if (facts?.started === false) return 0;
  if (facts?.sandboxed === false) return 1;
  return shown.testable ? 3 : 2;
}
