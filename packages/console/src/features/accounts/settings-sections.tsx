import { mayManageRole } from '@proofmark/domain';
import { Link } from '@tanstack/react-router';
import { useWholeList } from '../../kit/data/operations.ts';
import { useConsoleSession } from './data/session.ts';

/**
 * Links to the settings pages of an organization. Without `organizationId`, uses the organization
 * that the user manages, if there is exactly one.
 */
export function SettingsSections(props: { organizationId?: string }) {
  const { data: organizations } = useWholeList('listOrganizations', {});
  const { data: session } = useConsoleSession();
  // Without the list, the first links would move as soon as it arrives.
  if (organizations === undefined) return <div className="sections sections-to-come" />;
  const managed = organizations.filter(({ myRole }) => mayManageRole(myRole, 'member'));
  const found =
    props.organizationId === undefined
      ? managed.length === 1 && managed[0]
      : managed.find(({ id }) => id === props.organizationId);
  return (
    <nav className="sections" aria-label="People and settings">
      {found ? (
        <OrganizationLinks
          organizationId={found.id}
          isOwner={mayManageRole(found.myRole, 'owner')}
        />
      ) : (
        <Link to="/organizations" data-name="Organizations">
          Organizations
        </Link>
      )}
      <Link to="/api-keys" data-name="API keys">
        API keys
      </Link>
      <Link to="/account" data-name="Account">
        Account
      </Link>
      {session?.signedIn && session.operatesInstallation && (
        <Link to="/health" data-name="Health">
          Health
        </Link>
      )}
    </nav>
  );
}

function OrganizationLinks(props: { organizationId: string; isOwner: boolean }) {
  const params = { organizationId: props.organizationId };
  return (
    <>
      <Link to="/organizations/$organizationId/members" params={params} data-name="Members">
        Members
      </Link>
      {props.isOwner && (
        <Link to="/organizations/$organizationId/models" params={params} data-name="Models">
          Models
        </Link>
      )}
      <Link
        to="/organizations/$organizationId/spending"
        params={params}
        search={{}}
        activeOptions={{ includeSearch: false }}
        data-name="Limits and spending"
      >
        Limits and spending
      </Link>
      <Link to="/organizations/$organizationId/retention" params={params} data-name="Retention">
        Retention
      </Link>
      <Link
        to="/organizations/$organizationId/audit-log"
        params={params}
        search={{}}
        activeOptions={{ includeSearch: false }}
        data-name="Audit log"
      >
        Audit log
      </Link>
    </>
  );
}
