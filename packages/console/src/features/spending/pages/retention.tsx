/** How long an organization stores its data, and what stays in any case. */
import '../../../kit/styles/organization.css';
import { describeKeepRule, retainedKindWords } from '@proofmark/domain';
import { Link, useParams } from '@tanstack/react-router';
import { CopyText } from '../../../kit/copy-text.tsx';
import { useOperation } from '../../../kit/data/operations.ts';
import { QueryView } from '../../../kit/query-view.tsx';
import { Table } from '../../../kit/table.tsx';
import { OrganizationFrame } from '../../accounts/index.ts';

const route = '/signed-in/organizations/$organizationId/retention';

export function RetentionPage() {
  const { organizationId } = useParams({ from: route });
  return (
    <OrganizationFrame
      organizationId={organizationId}
      title="Retention"
      intro="How long data is stored. Data beyond a rule is removed within an hour."
    >
      {({ id, name }) => <Rules organizationId={id} name={name} />}
    </OrganizationFrame>
  );
}

function Rules({ organizationId, name }: { organizationId: string; name: string }) {
  const retention = useOperation('getOrganizationRetention', { organizationId });
  return (
    <>
      <QueryView query={retention}>
        {({ rules }) => (
          <Table columns={['Data', 'Kept']}>
            {rules.map((rule) => (
              <tr key={rule.kind}>
                <th scope="row">{retainedKindWords[rule.kind].name}</th>
                <td data-label="Kept">
                  {describeKeepRule(rule)}
                  {rule.count !== null && ` ${retainedKindWords[rule.kind].countedBy}`}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </QueryView>
      <section aria-labelledby="never-removed">
        <h2 id="never-removed">Never removed</h2>
        <p>
          Open runs, runs under a waiver in force, and the newest decided run of each suite, with
          which gates compare. A trial whose trace was removed keeps its result.
        </p>
        <p>
          <Link
            to="/organizations/$organizationId/audit-log"
            params={{ organizationId }}
            search={{ kind: 'organization' }}
          >
            What was removed stands in the audit log
          </Link>
        </p>
      </section>
      <section aria-labelledby="change-rules">
        <h2 id="change-rules">Changing a rule</h2>
        <p>
          Operators of this installation set the rules in a terminal on its machine. The first
          command shows what a rule would remove, the second sets it.
        </p>
        <CopyText
          block
          text={[
            `proofmark admin retention ${quoted(name)} --preview runs=90d/50`,
            `proofmark admin set-retention ${quoted(name)} runs 90d/50`,
          ].join('\n')}
          label="Copy the commands"
        />
      </section>
    </>
  );
}

function quoted(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`;
}
