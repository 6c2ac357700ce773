import type { ModelProviderEntry, Organization } from '@proofmark/contract';
import { mayManageRole } from '@proofmark/domain';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { Confirm } from '../../../kit/confirm.tsx';
import { useChange, useOperation } from '../../../kit/data/operations.ts';
import { notify } from '../../../kit/notice.tsx';
import { Empty, QueryView } from '../../../kit/query-view.tsx';
import { OrganizationFrame } from '../../accounts/index.ts';
import { ModelProviderEditor } from '../model-provider-editor.tsx';
import { ModelProviderTable } from '../model-provider-table.tsx';

export function ModelProvidersPage() {
  const { organizationId } = useParams({
    from: '/signed-in/organizations/$organizationId/models',
  });
  const [adding, setAdding] = useState(false);
  const add = (
    <button type="button" className="primary" onClick={() => setAdding(true)}>
      Add a provider
    </button>
  );
  return (
    <OrganizationFrame
      organizationId={organizationId}
      title="Models"
      intro="Providers whose models run on the key of this organization, or of the operator. A change counts from the next launch on."
      actions={({ myRole }) => (mayManageRole(myRole, 'owner') ? add : undefined)}
    >
      {(organization) =>
        mayManageRole(organization.myRole, 'owner') ? (
          <>
            <Providers organization={organization} />
            {adding && (
              <ModelProviderEditor
                organizationId={organization.id}
                entry={undefined}
                onClose={() => setAdding(false)}
              />
            )}
          </>
        ) : (
          <p>This is for owners of {organization.name}.</p>
        )
      }
    </OrganizationFrame>
  );
}

function Providers({ organization }: { organization: Organization }) {
  const providers = useOperation('listModelProviders', { organizationId: organization.id });
  const [editing, setEditing] = useState<ModelProviderEntry>();
  const [deleting, setDeleting] = useState<ModelProviderEntry>();
  return (
    <>
      <QueryView query={providers}>
        {({ items: all }) =>
          all.length === 0 ? (
            <Empty title="No providers yet">
              <p>
                Runs use proofmark/lexical-1, or keys that are sent with their launch. Add a
                provider to run its models on a key of the organization.
              </p>
            </Empty>
          ) : (
            <ModelProviderTable
              organizationId={organization.id}
              providers={all}
              onEdit={setEditing}
              onDelete={setDeleting}
            />
          )
        }
      </QueryView>
      {editing !== undefined && (
        <ModelProviderEditor
          organizationId={organization.id}
          entry={editing}
          onClose={() => setEditing(undefined)}
        />
      )}
      {deleting !== undefined && (
        <DeleteModelProvider
          organizationId={organization.id}
          name={deleting.name}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  );
}

function DeleteModelProvider(props: { organizationId: string; name: string; onClose: () => void }) {
  const remove = useChange('deleteModelProvider', (providerName: string) => ({
    organizationId: props.organizationId,
    providerName,
  }));
  const { name } = props;
  const onSuccess = () => {
    notify(`Provider ${name} deleted.`);
    props.onClose();
  };
  return (
    <Confirm
      title={`Delete the provider ${name}?`}
      action="Delete provider"
      busy={remove.isPending}
      error={remove.error}
      onClose={props.onClose}
      onConfirm={() => remove.mutate(name, { onSuccess })}
    >
      <p>
        Its key is deleted. Suites that name its models cannot be launched; runs under way go on.
      </p>
    </Confirm>
  );
}
