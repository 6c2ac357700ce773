import type { Organization } from '@proofmark/contract';
import { mayManageRole } from '@proofmark/domain';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useWholeList } from '../../kit/data/operations.ts';
import { PageFrame } from '../../kit/frame/page-frame.tsx';
import { Missing, QueryView } from '../../kit/query-view.tsx';
import { SettingsSections } from './settings-sections.tsx';

export function OrganizationFrame(props: {
  organizationId: string;
  title: string;
  intro?: string;
  actions?: (organization: Organization) => ReactNode;
  children: (organization: Organization) => ReactNode;
}) {
  const organizations = useWholeList('listOrganizations', {});
  const found = organizations.data?.find(({ id }) => id === props.organizationId);
  const isMine = found !== undefined && mayManageRole(found.myRole, 'member');
  return (
    <PageFrame
      title={props.title}
      above={<SettingsSections organizationId={props.organizationId} />}
      crumbs={
        <>
          <Link to="/organizations">Organizations</Link>
          {found !== undefined && ` / ${found.name}`}
        </>
      }
      actions={isMine ? props.actions?.(found) : undefined}
      intro={props.intro}
    >
      <QueryView query={organizations}>
        {() => {
          if (found === undefined) return <Missing />;
          if (!isMine) return <p>This is for owners and admins of {found.name}.</p>;
          return props.children(found);
        }}
      </QueryView>
    </PageFrame>
  );
}
