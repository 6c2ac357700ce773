/** What a run is decided by and ran on, as it was stored; nothing where that is not what a snapshot looks like. */
import { type RunSnapshot, ValidityPolicy } from '@proofmark/domain';
import { type Document, isRecord, readRecord } from './read-document.ts';

export function readSnapshot(text: string): RunSnapshot | undefined {
  const stored = readRecord(text);
  if (stored === undefined) return undefined;
  const { terms, reportedTerms, declared, servers, environment } = stored;
  const isOne =
    areTerms(terms) &&
    (reportedTerms === undefined || areTerms(reportedTerms)) &&
    (declared === undefined || isDeclared(declared)) &&
    Array.isArray(servers) &&
    servers.every(isRecord) &&
    (environment === null || (isRecord(environment) && typeof environment['id'] === 'string'));
  return isOne ? (stored as unknown as RunSnapshot) : undefined;
}

function areTerms(terms: unknown): boolean {
  if (!isRecord(terms)) return false;
  if (typeof terms['minimumPassRate'] === 'number') return true;
  return (
    ValidityPolicy.safeParse(terms['policy']).success && typeof terms['passThreshold'] === 'number'
  );
}

function isDeclared(declared: unknown): declared is Document {
  return (
    isRecord(declared) &&
    typeof declared['repetitions'] === 'number' &&
    isRecord(declared['cases']) &&
    Object.values(declared['cases']).every(isRecord)
  );
}
