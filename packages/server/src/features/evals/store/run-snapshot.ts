/**
 * Reads the snapshot of a run part by part, and leaves out invalid parts. The terms are either
 * valid as a whole or left out, because a run cannot be decided by half of its terms.
 */
import {
  isRecord,
  RowSample,
  type RunSnapshot,
  rerunScopes,
  skippedRules,
  ValidityPolicy,
} from '@proofmark/domain';
import * as z from 'zod';
import { type Document, readRecord } from '../../../platform/database/read-document.ts';

export type StoredSnapshot = Omit<RunSnapshot, 'terms'> & {
  readonly terms: RunSnapshot['terms'] | undefined;
};

export function readSnapshot(text: string): StoredSnapshot {
  const stored = readRecord(text) ?? {};
  const { rerunOf, samples: storedSamples, overlay, conformance, ...rest } = stored;
  const { terms, reportedTerms, declared, servers, environment } = rest;
  const samples = z.array(RowSample).safeParse(storedSamples);
  const areWhole =
    areTerms(terms) &&
    (reportedTerms === undefined || areTerms(reportedTerms)) &&
    (declared === undefined || isDeclared(declared));
  return {
    ...(rest as unknown as RunSnapshot),
    ...(isRerun(rerunOf) && { rerunOf }),
    ...(samples.success && { samples: samples.data }),
    ...(isOverlay(overlay) && { overlay }),
    ...(isConformance(conformance) && { conformance }),
    terms: areWhole ? (terms as RunSnapshot['terms']) : undefined,
    servers: Array.isArray(servers) ? servers.filter(isRecord) : [],
    environment: isEnvironment(environment) ? environment : null,
  };
}

function isEnvironment(
  environment: unknown,
): environment is NonNullable<RunSnapshot['environment']> {
  return isRecord(environment) && typeof environment['id'] === 'string';
}

function isRerun(rerunOf: unknown): rerunOf is NonNullable<RunSnapshot['rerunOf']> {
  return (
    isRecord(rerunOf) &&
    typeof rerunOf['runId'] === 'string' &&
    (rerunScopes as readonly unknown[]).includes(rerunOf['scope'])
  );
}

function isOverlay(overlay: unknown): overlay is NonNullable<RunSnapshot['overlay']> {
  return (
    isRecord(overlay) && typeof overlay['hash'] === 'string' && typeof overlay['tools'] === 'number'
  );
}

function isConformance(
  conformance: unknown,
): conformance is NonNullable<RunSnapshot['conformance']> {
  if (!isRecord(conformance) || !isRecord(conformance['suite'])) return false;
  const { name, version } = conformance['suite'];
  return [name, version, conformance['spec']].every((one) => typeof one === 'string');
}

function areTerms(terms: unknown): boolean {
  if (!isRecord(terms)) return false;
  const { skipped } = terms;
  if (skipped !== undefined && !(skippedRules as readonly unknown[]).includes(skipped))
    return false;
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
