import { type Action, presentPage } from '../../../platform/operations/action.ts';
import { listWhenOn } from '../../../platform/operations/list-when-on.ts';
import { listFindings } from '../store/findings.ts';
import { presentFinding } from './present-finding.ts';

export const listSwarmFindings: Action<'listSwarmFindings'> = (context, { query, page }) =>
  listWhenOn(context, 'swarms', async () => {
    const { status, dismissed } = query;
    const filter = {
      status,
      dismissed: dismissed === undefined ? undefined : dismissed === 'true',
    };
    return presentPage(
      await context.tenant((sql) => listFindings(sql, context.project.id, filter, page)),
      presentFinding,
    );
  });
