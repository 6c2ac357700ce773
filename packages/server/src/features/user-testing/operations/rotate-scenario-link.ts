import { newToken } from '../../../platform/accounts/token.ts';
import type { Action } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import { replaceScenarioToken } from '../store/scenarios.ts';
import { findScenario } from './find-scenario.ts';
import { scenarioLink } from './scenario-link.ts';

export const rotateScenarioLink: Action<'rotateScenarioLink'> = (context, { params }) =>
  context.tenant(async (sql) => {
    const { id: projectId } = context.project;
    const { vault } = context.database;
    const current = await findScenario(sql, projectId, params.scenarioId, 'forUpdate');
    const stored = await replaceScenarioToken(sql, vault, current, newToken());
    await recordAudit(sql, context, { action: 'scenario.linkRotated', subjectId: stored.id });
    const { url: link } = scenarioLink(context, stored);
    return { id: stored.id, projectId, rotated: true, link };
  });
