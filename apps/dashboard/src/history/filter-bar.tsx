import { useWorkspace } from '../workspace/panel-store.ts';
import { goTo } from '../frame/route.ts';
import { LEVEL_KINDS, OUTCOME_KINDS } from '../parts/status-badge.ts';
import { type FilterName, filterWords, withFilter } from './filters.ts';

/** Each field is a part of the address: a filtered history can be shared. */
export function FilterBar({ filters }: Readonly<{ filters: URLSearchParams }>) {
  const providers = useWorkspace((panel) => panel.providers);
  const set = (name: FilterName, value: string): void =>
    goTo('history', null, withFilter(filters, name, { value }));
  return (
    <div className="filters" role="search">
      <Field name="text" label="Text" placeholder="Text, id or tool" filters={filters} onSet={set} />
      <Choice name="provider" label="Provider" values={providers} filters={filters} onSet={set} />
      <Choice name="outcome" label="Outcome" values={OUTCOME_KINDS} filters={filters} onSet={set} />
      <Choice name="level" label="Level" values={LEVEL_KINDS} filters={filters} onSet={set} />
      <Field name="tool" label="Tool" placeholder="Tool" filters={filters} onSet={set} />
      <Field name="path" label="Path" placeholder="Path touched" filters={filters} onSet={set} />
      <TimeChoice filters={filters} onSet={set} />
    </div>
  );
}

const TIMES = ['from', 'to'] as const;

/** A time range is set elsewhere, such as in a chart; here it can be removed. */
function TimeChoice({ filters, onSet }: Pick<FieldProps, 'filters' | 'onSet'>) {
  return filterWords(filters)
    .filter(([name]) => TIMES.some((one) => one === name))
    .map(([name, text]) => (
      <button key={name} type="button" className="btn quiet" onClick={() => onSet(name, '')}>
        {text} <span aria-hidden="true">×</span>
        <span className="sr">Remove filter</span>
      </button>
    ));
}

type FieldProps = Readonly<{
  name: FilterName;
  label: string;
  filters: URLSearchParams;
  onSet: (name: FilterName, value: string) => void;
}>;

/** Takes effect on `Enter` and on blur: not at each letter, which would fill the browser's history. */
function Field({ name, label, placeholder, filters, onSet }: FieldProps & Readonly<{ placeholder: string }>) {
  const value = filters.get(name) ?? '';
  return (
    <form
      key={value}
      onSubmit={(event) => {
        event.preventDefault();
        // Blurring the field applies it.
        event.currentTarget.querySelector('input')?.blur();
      }}
    >
      <input
        type="search"
        name={name}
        aria-label={label}
        placeholder={placeholder}
        defaultValue={value}
        onBlur={({ target }) => target.value !== value && onSet(name, target.value)}
      />
    </form>
  );
}

function Choice({
  name,
  label,
  values,
  filters,
  onSet,
}: FieldProps & Readonly<{ values: readonly string[] }>) {
  return (
    <select
      aria-label={label}
      value={filters.get(name) ?? ''}
      onChange={({ target }) => onSet(name, target.value)}
    >
      <option value="">Any {label.toLowerCase()}</option>
      {values.map((value) => (
        <option key={value} value={value}>
          {value.replace('_', ' ')}
        </option>
      ))}
    </select>
  );
}
