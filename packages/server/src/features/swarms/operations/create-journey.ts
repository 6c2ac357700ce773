import { newJourney } from '@proofmark/domain';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import { makeOnce } from '../../../platform/operations/keyed-answers.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import type { EvalsParts } from '../../evals/index.ts';
import { insertJourney } from '../store/journeys.ts';
import { checkTargets } from './check-targets.ts';
import { findPersona } from './find-persona.ts';
import { findSwarm } from './find-swarm.ts';
import { presentJourney } from './present-journey.ts';
import { refuseUnrunnable } from './refuse-unrunnable.ts';

export const createJourney: Action<'createJourney', EvalsParts> = (
  context,
  { body, idempotencyKey: key },
) => {
  const { organizationId, id: projectId } = context.project;
  return makeOnce(context, { operation: 'createJourney', key, body }, async (sql) => {
    const stated = { ...body, id: context.newId('journey') };
    const first = newJourney(stated, () => context.newId('criterion'));
    if ('refusal' in first) return refuse(first.refusal);
    await refuseUnrunnable(sql, context, body);
    // Locks the persona and the swarm, so that neither is archived before the journey is committed.
    await findPersona(sql, projectId, body.personaId, 'forShare');
    if (body.swarmId !== undefined) await findSwarm(sql, projectId, body.swarmId, 'forShare');
    await checkTargets(sql, projectId, body);
    const stored = await insertJourney(sql, { organizationId, projectId }, first.journey);
    const details = { fields: Object.keys(body) };
    await recordAudit(sql, context, { action: 'journey.created', subjectId: stored.id, details });
    return presentJourney(stored);
  });
};
