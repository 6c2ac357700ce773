/** Chooses the worst of several workers' browsers, because the health report describes only one. */
import { isRecord } from '@proofmark/domain';
import type { BrowserLook } from './look-at-browser.ts';

export interface BrowserOfWorker {
  readonly look: BrowserLook;
  readonly host: string;
  readonly processId: number;
}

/**
 * Checks the shape of an answer: it may come from a worker of another version, or from any other
 * program with database access.
 */
export function isBrowserOfWorker(answer: unknown): answer is BrowserOfWorker {
  if (!isRecord(answer) || !isRecord(answer['look'])) return false;
  const { shown, facts } = answer['look'];
  return (
    typeof answer['host'] === 'string' &&
    typeof answer['processId'] === 'number' &&
    isRecord(shown) &&
    typeof shown['testable'] === 'boolean' &&
    (shown['reason'] === null || typeof shown['reason'] === 'string') &&
    Array.isArray(shown['warnings']) &&
    (shown['browser'] === null || isRecord(shown['browser'])) &&
    (facts === undefined || isRecord(facts))
  );
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
