import type { Organization } from '@proofmark/contract';
import { mayManageRole } from '@proofmark/domain';
import { Link, Navigate } from '@tanstack/react-router';
import { useWholeList } from '../../../kit/data/operations.ts';
import { PageFrame } from '../../../kit/frame/page-frame.tsx';
import { InstantText } from '../../../kit/instant-text.tsx';
import { Empty, QueryView } from '../../../kit/query-view.tsx';
import { organizationRoleWords } from '../role-words.ts';
import { SettingsSections } from '../settings-sections.tsx';

export function OrganizationsPage() {
  const organizations = useWholeList('listOrganizations', {});
  const [only, ...others] = organizations.data ?? [];
  if (only !== undefined && others.length === 0 && mayManageRole(only.myRole, 'member')) {
    const params = { organizationId: only.id };
    return <Navigate to="/organizations/$organizationId/members" params={params} replace />;
  }
  return (
    <PageFrame
      title="Organizations"
      above={<SettingsSections />}
      intro="Projects, members and keys belong to an organization."
    >
      <QueryView query={organizations}>
        {(all) =>
          all.length > 0 ? (
            <OrganizationTable organizations={all} />
          ) : (
            <Empty title="You belong to no organization">
              <p>Ask an owner or admin of one to invite you.</p>
            </Empty>
          )
        }
      </QueryView>
    </PageFrame>
  );
}

function OrganizationTable(props: { organizations: readonly Organization[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Organization</th>
          <th scope="col">Your role</th>
          <th scope="col">Since</th>
        </tr>
      </thead>
      <tbody>
        {props.organizations.map(({ id, name, myRole, createdAt }) => (
          <tr key={id}>
            <th scope="row">
              {mayManageRole(myRole, 'member') ? (
                <Link to="/organizations/$organizationId/members" params={{ organizationId: id }}>
                  {name}
                </Link>
              ) : (
                name
              )}
            </th>
            <td data-label="Your role">{organizationRoleWords[myRole]}</td>
            <td data-label="Since">
              <InstantText atMs={createdAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
