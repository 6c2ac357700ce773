import { listFindings } from '../../storage/swarms/findings.ts';
import { type Action, presentPage } from '../action.ts';
import { listWhenOn } from '../list-when-on.ts';
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
