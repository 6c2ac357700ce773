import { type Action, presentPage } from '../../../platform/operations/action.ts';
import { listIfFeatureOn } from '../../../platform/operations/list-if-feature-on.ts';
import { listFindings } from '../store/findings.ts';
import { presentFinding } from './present-finding.ts';

export const listSwarmFindings: Action<'listSwarmFindings'> = (context, { query, page }) =>
  listIfFeatureOn(context, 'swarms', async () => {
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
