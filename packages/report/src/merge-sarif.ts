/**
 * Merges SARIF logs of Proofmark into one SARIF run, because code scanning accepts only one for
 * each tool and category. Rules with the same id are listed once.
 */
import { isRecord, type Json } from '@proofmark/domain';

export function mergeSarif(logs: readonly unknown[]): Json | undefined {
  const runs = logs.filter(isRecord).flatMap((log) => recordsIn(log['runs']));
  const [first] = runs;
  const log = logs.find(isRecord);
  if (first === undefined || log === undefined) return undefined;
  const rules = new Map<unknown, Json>();
  for (const rule of runs.flatMap(rulesOf)) if (!rules.has(rule['id'])) rules.set(rule['id'], rule);
  const order = [...rules.keys()];
  const results = runs.flatMap((run) =>
    recordsIn(run['results']).map((result) => ({
      ...result,
      ...('ruleIndex' in result && { ruleIndex: order.indexOf(result['ruleId']) }),
    })),
  );
  const driver = { ...driverOf(first), rules: [...rules.values()] };
  return { ...log, runs: [{ ...first, tool: { driver }, results }] };
}

function driverOf(run: Json): Json {
  const tool = isRecord(run['tool']) ? run['tool'] : {};
  return isRecord(tool['driver']) ? tool['driver'] : {};
}

function rulesOf(run: Json): Json[] {
  return recordsIn(driverOf(run)['rules']);
}

function recordsIn(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
