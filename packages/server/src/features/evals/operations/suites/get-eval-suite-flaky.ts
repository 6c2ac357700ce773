/** Lists the flaky, regressed and steady case variants of a suite. Nothing is changed. */
import { caseOfRow, flakyCase, presentHistories, suggestedQuarantine } from '@proofmark/domain';
import type { Action } from '../../../../platform/operations/action.ts';
import { listHistories } from '../../store/histories.ts';
import { listQuarantine } from '../../store/quarantine.ts';
import { findSuite } from './find-suite.ts';
import { caseNamed, presentQuarantine } from './quarantine-of-suite.ts';
import { readQuarantinedSuite } from './read-quarantined-suite.ts';

export const getEvalSuiteFlaky: Action<'getEvalSuiteFlaky'> = (context, { params }) =>
  context.tenant(async (sql) => {
    const suite = await findSuite(sql, context.project.id, params.suiteId);
    const known = await readQuarantinedSuite(sql, suite);
    const { items } = presentQuarantine(await listQuarantine(sql, suite.id), known);
    const entries = items.flatMap(({ caseId, model, state }) => {
      const found = caseNamed(known.cases, caseId);
      const holds = state === 'inForce' || state === 'steady';
      return found !== undefined && holds ? [{ id: found.id, model }] : [];
    });
    const places = new Map(known.cases.map(({ id }, place) => [id, place]));
    const { histories, omittedRuns } = await listHistories(sql, suite.id);
    const rows = presentHistories(histories).flatMap((history) => {
      // If a case is in quarantine, so are all cases made from its data rows.
      const id = places.has(history.caseId) ? history.caseId : caseOfRow(history.caseId);
      const found = known.cases.find((one) => one.id === id);
      if (found === undefined) return [];
      const quarantined = entries.some(
        (entry) => entry.id === id && (entry.model === null || entry.model === history.model),
      );
      const { declaredId, title } = found;
      return [{ id, ...flakyCase(history, { caseId: declaredId ?? id, title, quarantined }) }];
    });
    const cases = rows
      .toSorted((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0))
      .map(({ id: _, ...one }) => one);
    const suggestion = suggestedQuarantine(cases, known.now.getTime());
    return { cases, omittedRuns, suggestion };
  });
