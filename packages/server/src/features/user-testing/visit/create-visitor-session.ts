import {
  accessDenied,
  canonicalJson,
  visitBounds,
  visitDayUsedUp,
  visitorNameOf,
} from '@proofmark/domain';
import { sha256Hex } from '../../../kernel/sha256-hex.ts';
import { refuse } from '../../../platform/operations/action.ts';
import { countSessionsOfToday, insertVisitorSession } from '../store/visitor-sessions.ts';
import type { VisitorIdentity } from '../store/visitors.ts';
import { enterVisit, inScenario, requireConsent } from './enter-visit.ts';
import { playedEnvironment } from './played-environment.ts';
import type { VisitAction } from './visit-action.ts';

export const createVisitorSession: VisitAction<'createVisitorSession'> = (
  context,
  { params, body },
) =>
  inScenario(
    context,
    params.scenarioId,
    async (sql) => {
      const { identity, deviceKind, language } = context;
      const visit = await enterVisit(sql, context, params.scenarioId, body.accessVersion);
      const { scenario, grant, memberId, tier } = visit;
      await playedEnvironment(sql, scenario);
      const consent = requireConsent(context, grant);
      // Only members of the project may mark a session as a preview. Lists leave out previews, so
      // visitors could hide their sessions from the owner.
      const isPreview = body.preview === true;
      if (isPreview && tier === undefined) return refuse(accessDenied);
      const visitorHash = hashOf(scenario.id, identity);
      const { count, now } = await countSessionsOfToday(sql, scenario.id, visitorHash);
      const { sessionsOfDay } = visitBounds;
      if (count >= sessionsOfDay) {
        throw visitDayUsedUp('sessionsPerDay', sessionsOfDay, count, now.getTime());
      }
      const id = context.newId('chatSession');
      await insertVisitorSession(sql, {
        id,
        scenarioId: scenario.id,
        projectId: scenario.projectId,
        organizationId: scenario.organizationId,
        grantId: grant.id,
        memberId,
        identity,
        isPreview,
        visitorHash,
        deviceKind,
        language,
        ...consent,
        displayName: visitorNameOf({
          name: identity.kind === 'account' ? identity.name : null,
          hash: visitorHash,
        }),
      });
      return { sessionId: id };
    },
    accessDenied,
  );

/** The hash contains the scenario id, so that a visitor cannot be recognized across scenarios. */
function hashOf(scenarioId: string, identity: VisitorIdentity): string {
  const who = identity.kind === 'account' ? identity.accountId : identity.visitorId;
  return sha256Hex(canonicalJson([scenarioId, who]));
}
