import '../../../kit/styles/organization.css';
import type { OutputOf } from '@proofmark/contract';
import { cleanText, count, creditsText, grouped } from '@proofmark/domain';
import { knownWord, ledgerKindWords, limitWords } from '@proofmark/report';
import { keepPreviousData } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useOperation } from '../../../kit/data/operations.ts';
import { InstantText } from '../../../kit/instant-text.tsx';
import { QueryView } from '../../../kit/query-view.tsx';
import { Table } from '../../../kit/table.tsx';
import { OrganizationFrame } from '../../accounts/index.ts';
import { amountText, usedText } from '../spending-text.ts';

const route = '/signed-in/organizations/$organizationId/spending';

export function SpendingPage() {
  const { organizationId } = useParams({ from: route });
  return (
    <OrganizationFrame
      organizationId={organizationId}
      title="Limits and spending"
      intro="The operator of this installation sets the limits. One credit is one US cent by the price of a model."
    >
      {(organization) => <Spending organizationId={organization.id} />}
    </OrganizationFrame>
  );
}

function Spending({ organizationId }: { organizationId: string }) {
  const { day } = useSearch({ from: route });
  const spending = useOperation(
    'getOrganizationSpending',
    { organizationId, ...(day !== undefined && { day }) },
    { placeholderData: keepPreviousData },
  );
  return (
    <QueryView query={spending}>
      {(found) => (
        <>
          <LimitTable spending={found} />
          <DayTable organizationId={organizationId} spending={found} />
          <SpentTable spending={found} />
        </>
      )}
    </QueryView>
  );
}

function LimitTable({ spending }: { spending: OrganizationSpending }) {
  return (
    <section aria-labelledby="limits">
      <h2 id="limits">Limits</h2>
      <p className="hint">
        What is counted by the day begins anew at 00:00 UTC, which is{' '}
        <InstantText atMs={spending.resetsAt} /> here.
      </p>
      <Table columns={['Limit of', 'Used', 'Limit', 'Left']}>
        {spending.limits.map((limit) => (
          <tr key={limit.name}>
            <th scope="row">{limitWords[limit.name]}</th>
            <td data-label="Used" className="figures">
              {usedText(limit)}
            </td>
            <td data-label="Limit" className="figures">
              {limit.allowed === null ? 'none' : amountText(limit.name, limit.allowed)}
            </td>
            <td data-label="Left" className="figures">
              {limit.left === null || limit.allowed === null ? (
                'no limit'
              ) : (
                <span className="left-of">
                  <b className={limit.left === 0 ? 'tone-hold' : undefined}>
                    {limit.left === 0 ? 'nothing' : amountText(limit.name, limit.left)}
                  </b>
                  <meter
                    aria-label={`Used of ${limitWords[limit.name].toLowerCase()}`}
                    value={Math.min(limit.allowed - limit.left, limit.allowed)}
                    max={Math.max(limit.allowed, 1)}
                  />
                </span>
              )}
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

function DayTable(props: { organizationId: string; spending: OrganizationSpending }) {
  const { days, day: shownDay } = props.spending;
  const most = Math.max(...days.map(({ credits }) => credits));
  return (
    <section aria-labelledby="days">
      <h2 id="days">The last 14 days</h2>
      {most === 0 ? (
        <p>No credits were spent in these days.</p>
      ) : (
        <ol className="spent-days">
          {days.map(({ day, credits }) => (
            <li key={day}>
              <Link
                to="/organizations/$organizationId/spending"
                params={{ organizationId: props.organizationId }}
                search={{ day }}
                resetScroll={false}
                aria-current={day === shownDay ? 'date' : undefined}
              >
                {day}
              </Link>
              <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                <rect width={(credits / most) * 100} height="8" rx="1" />
              </svg>
              <span className="figures">{creditsText(credits)}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function SpentTable({ spending }: { spending: OrganizationSpending }) {
  return (
    <section aria-labelledby="spent">
      <h2 id="spent">{`Used on ${spending.day} (UTC)`}</h2>
      {spending.spent.length === 0 ? (
        <p>No model was asked on that day.</p>
      ) : (
        <Table columns={['Use', 'Model', 'Calls', 'Tokens', 'Cost']}>
          {spending.spent.map((one) => (
            <tr key={`${one.kind} ${one.model}`}>
              <th scope="row">{knownWord(ledgerKindWords, one.kind)}</th>
              <td data-label="Model">
                <bdi>{cleanText(one.model, false)}</bdi>
              </td>
              <td data-label="Calls" className="figures">
                {count(one.steps, one.kind === 'trial_step' ? 'trial' : 'call')}
              </td>
              <td data-label="Tokens" className="figures">
                {`${grouped(one.inputTokens)} in, ${grouped(one.outputTokens)} out`}
              </td>
              <td data-label="Cost" className="figures">
                {one.unpriced === one.steps ? 'not known' : creditsText(one.credits)}
                {one.unpriced > 0 && one.unpriced < one.steps && (
                  <span className="hint">{`, of ${grouped(one.unpriced)} not known`}</span>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

type OrganizationSpending = OutputOf<'getOrganizationSpending'>;
