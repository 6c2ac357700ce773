import type { EvalSuiteDetail } from '@proofmark/contract';
import { isRecord, type Json, ScheduleCalendar, weekdays } from '@proofmark/domain';
import { weekdayWords } from '@proofmark/report';
import { CheckList } from '../../../kit/check-list.tsx';
import { Field } from '../../../kit/field.tsx';
import { EnvironmentName } from './environment-name.tsx';
import { type ScheduleKind, scheduleKind, scheduleOfKind } from './schedule-kind.ts';
import { SchedulePreview } from './schedule-preview.tsx';
import {
  listAt,
  recordAt,
  textAt,
  ValueChoice,
  type ValueForm,
  ValueNumber,
  ValueText,
} from './value-fields.tsx';

export function ScheduleFields({ form, suite }: { form: ValueForm; suite: EvalSuiteDetail }) {
  const schedule = recordAt(form, ['schedule']);
  const kind = scheduleKind(schedule);
  return (
    <fieldset className="parts">
      <legend>Schedule</legend>
      <ValueChoice
        form={form}
        label="Enabled"
        path={['schedule', 'enabled']}
        options={[
          ['true', 'Yes'],
          ['false', 'No'],
        ]}
      />
      <Field label="Starts">
        {(control) => (
          <select
            {...control}
            value={kind}
            onChange={({ target }) =>
              form.change(
                ['schedule'],
                scheduleOfKind(schedule, target.value as ScheduleKind, zoneOfReader()),
              )
            }
          >
            <option value="interval">At an interval</option>
            <option value="daily">Daily or on some days of the week</option>
            <option value="cron">By a cron expression</option>
          </select>
        )}
      </Field>
      {kind === 'interval' ? (
        <ValueNumber
          form={form}
          label="Interval in minutes"
          hint="5 to 10,080, which is a week."
          path={['schedule', 'intervalMinutes']}
        />
      ) : (
        <CalendarFields form={form} kind={kind} />
      )}
      <EnvironmentChoice form={form} suite={suite} />
      {schedule['enabled'] === true && <Preview schedule={schedule} suite={suite} />}
    </fieldset>
  );
}

const at = ['schedule', 'calendar'] as const;

function CalendarFields({ form, kind }: { form: ValueForm; kind: 'daily' | 'cron' }) {
  const chosen = listAt(form, [...at, 'weekdays']).map(String);
  return (
    <>
      {kind === 'cron' ? (
        <ValueText
          form={form}
          label="Cron expression"
          hint="Minute, hour, day of the month, month, day of the week: 30 6 * * mon-fri is half past six from Monday to Friday."
          path={[...at, 'expression']}
        />
      ) : (
        <>
          <ValueText
            form={form}
            label="Time of day"
            hint="00:00 to 23:59."
            path={[...at, 'time']}
          />
          <CheckList
            legend="Days"
            hint="Every day if none is chosen."
            none=""
            options={weekdays.map((id) => ({ id, name: weekdayWords[id] }))}
            chosen={chosen}
            onChange={(next) =>
              form.change([...at, 'weekdays'], next.length === 0 ? undefined : next)
            }
          />
        </>
      )}
      <ValueText
        form={form}
        label="Time zone"
        hint="A time that the clocks skip runs when they have moved; a time that comes twice runs once. Default: UTC."
        path={[...at, 'timeZone']}
        list={zones}
      />
    </>
  );
}

function EnvironmentChoice({ form, suite }: { form: ValueForm; suite: EvalSuiteDetail }) {
  const { projectId, environmentIds } = suite;
  if (environmentIds.length < 2) return null;
  return (
    <Field label="Environment" problem={form.problems['schedule.environmentId']}>
      {(control) => (
        <select
          {...control}
          value={textAt(form, ['schedule', 'environmentId'])}
          onChange={({ target }) =>
            form.change(['schedule', 'environmentId'], target.value || undefined)
          }
        >
          <option value="">Choose…</option>
          {environmentIds.map((environmentId) => (
            <option key={environmentId} value={environmentId}>
              <EnvironmentName ids={{ projectId, environmentId }} />
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function Preview({ schedule, suite }: { schedule: Json; suite: EvalSuiteDetail }) {
  const { intervalMinutes } = schedule;
  const calendar = isRecord(schedule['calendar'])
    ? ScheduleCalendar.safeParse(schedule['calendar']).data
    : undefined;
  return (
    <SchedulePreview
      intervalMinutes={typeof intervalMinutes === 'number' ? intervalMinutes : null}
      calendar={calendar ?? null}
      saved={suite.schedule}
    />
  );
}

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

function zoneOfReader(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
