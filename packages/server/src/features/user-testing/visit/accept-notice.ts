import { accessDenied, consentRequired } from '@proofmark/domain';
import { refuse } from '../../../platform/operations/action.ts';
import { writeConsent } from '../store/visits.ts';
import { enterVisit, inScenario, noticeOf } from './enter-visit.ts';
import { playedEnvironment } from './played-environment.ts';
import type { VisitAction } from './visit-action.ts';

/**
 * Accepts only the current notice. A person who read an older version must read the current one.
 */
export const acceptNotice: VisitAction<'acceptNotice'> = (context, { params, body }) =>
  inScenario(
    context,
    params.scenarioId,
    async (sql) => {
      const { scenarioId } = params;
      const visit = await enterVisit(sql, context, scenarioId, body.accessVersion);
      await playedEnvironment(sql, visit.scenario);
      const { version } = noticeOf(context);
      if (body.noticeVersion !== version) return refuse(consentRequired);
      const { consentedAt } = await writeConsent(sql, visit.grant.id, version);
      return { scenarioId, noticeVersion: version, consentedAt: consentedAt.getTime() };
    },
    accessDenied,
  );
