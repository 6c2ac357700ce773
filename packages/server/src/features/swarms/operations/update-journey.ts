import { editJourney } from '@proofmark/domain';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import type { EvalsParts } from '../../evals/index.ts';
import { storeJourney } from '../store/journeys.ts';
import { checkTargets } from './check-targets.ts';
import { findJourney } from './find-journey.ts';
import { findSwarm } from './find-swarm.ts';
import { presentJourney } from './present-journey.ts';
import { refuseUnrunnable } from './refuse-unrunnable.ts';

export const updateJourney: Action<'updateJourney', EvalsParts> = (context, { params, body }) =>
  context.tenant(async (sql) => {
    const { journeyId } = params;
    const current = await findJourney(sql, context.project.id, journeyId, 'forNoKeyUpdate');
    const edited = editJourney(current, body, () => context.newId('criterion'));
    if ('refusal' in edited) return refuse(edited.refusal);
    await refuseUnrunnable(sql, context, body);
    if (body.swarmId) await findSwarm(sql, context.project.id, body.swarmId, 'forShare');
    await checkTargets(sql, context.project.id, body);
    const stored = await storeJourney(sql, edited.journey);
    const details = { fields: Object.keys(body) };
    await recordAudit(sql, context, { action: 'journey.updated', subjectId: journeyId, details });
    return presentJourney(stored);
  });
