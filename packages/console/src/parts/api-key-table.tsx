import type { ApiKey } from '@proofmark/contract';
import { useOrganizationName } from '../data/organizations.ts';
import { InstantText } from './instant-text.tsx';

export function ApiKeyTable(props: { keys: readonly ApiKey[]; onRevoke: (key: ApiKey) => void }) {
  const organizationName = useOrganizationName();
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Organization</th>
          <th scope="col">Starts with</th>
          <th scope="col">Created</th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {props.keys.map((key) => (
          <tr key={key.id} className={key.revokedAt === null ? undefined : 'over'}>
            <th scope="row">{key.name}</th>
            <td data-label="Organization">{organizationName(key.organizationId)}</td>
            <td data-label="Starts with" className="code">
              {key.start}…
            </td>
            <td data-label="Created">
              <InstantText atMs={key.createdAt} />
            </td>
            <td data-label="State">
              {key.revokedAt === null ? (
                <button
                  type="button"
                  className="small"
                  aria-label={`Revoke ${key.name}`}
                  onClick={() => props.onRevoke(key)}
                >
                  Revoke
                </button>
              ) : (
                <span>
                  revoked <InstantText atMs={key.revokedAt} />
                </span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
