import { effectOfModeChange, type ScenarioMode, tierAllows } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { type Action, type ProjectContext, refuse } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import { revokeGrantsOutside } from '../store/scenario-grants.ts';
import { type StoredScenario, storeScenario } from '../store/scenarios.ts';
import { findScenario } from './find-scenario.ts';
import { presentUserTesting } from './present-scenario.ts';

export const updateUserTestingScenario: Action<'updateUserTestingScenario'> = (
  context,
  { params, body },
) =>
  context.tenant(async (sql) => {
    const { id: projectId } = context.project;
    const current = await findScenario(sql, projectId, params.scenarioId, 'forUpdate');
    if (body.mode !== undefined) {
      return presentUserTesting(await changeMode(sql, context, current, body.mode));
    }
    const { description, welcome } = body;
    const stored = await storeScenario(sql, {
      ...current,
      name: body.name ?? current.name,
      description: description === undefined ? current.description : description || null,
      feedback: body.feedback ?? current.feedback,
      welcome: welcome === undefined ? current.welcome : welcome || null,
    });
    const details = { fields: Object.keys(body) };
    await recordAudit(sql, context, { action: 'scenario.updated', subjectId: stored.id, details });
    return presentUserTesting(stored);
  });

async function changeMode(
  sql: Sql,
  context: ProjectContext,
  current: StoredScenario,
  mode: ScenarioMode,
): Promise<StoredScenario> {
  const effect = effectOfModeChange(current.mode, mode);
  if (effect === 'none') return current;
  const tightens = effect === 'tightens';
  if (!tightens && !tierAllows(context.project.tier, 'admin')) refuse(wideningNeedsAdmin);
  const accessVersion = current.accessVersion + (tightens ? 1 : 0);
  const stored = await storeScenario(sql, { ...current, mode, accessVersion });
  if (tightens) await revokeGrantsOutside(sql, stored);
  await recordAudit(sql, context, {
    action: 'scenario.modeChanged',
    subjectId: stored.id,
    details: { mode, formerMode: current.mode },
  });
  return stored;
}

const wideningNeedsAdmin = {
  code: 'FORBIDDEN',
  message: 'You need the admin tier of the project to open a scenario to more people.',
} as const;
