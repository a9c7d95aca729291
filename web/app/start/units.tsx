/** Units view: sides with their units, generated from the declared fields and edited by taps. */

import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import type { ArmyCounter, ArmyItem, ArmySide, GrowableList } from '../../engine/editing/army-form.ts';
import type { ExchangeResult } from '../../engine/editing/army-form-edits.ts';
import type { TextEdit } from '../../engine/editing/edit.ts';
import { modeTools, showMode } from '../editor/editor-mode.ts';
import { Entries, RemoveButton } from '../editor/form-groups.tsx';
import { Button } from '../parts/button.tsx';
import { Problem } from '../parts/problem.tsx';
import { text } from '../state.ts';
import '../editor/editor.css';
import '../../style/front.css';
import { armyForm, changeError, changeSides, getShownValue, hasTile, setCount, watchArmyForm } from './army-form.ts';
import { Silhouette } from './silhouette.tsx';
import { Stepper } from './stepper.tsx';

/** Result of the last swap: fields that stayed, as long as its text is shown. */
const exchangeState = signal<ExchangeResult>({ text: '', unchanged: [] });

const applySideEdit = (edit: TextEdit): void => void changeSides((engine, text) => engine.edit(text, edit));

/** Tile of a side: a type of unit, or a unit with its numbers. */
interface UnitTile {
  readonly key: string;
  readonly title: string;
  readonly about: string;
  readonly counters: readonly ArmyCounter[];
  readonly item?: ArmyItem | undefined;
}

const toPathKey = (path: readonly (string | number)[]): string => JSON.stringify(path);

/** Creates the tiles of counters that are not types, with the list elements that they belong to. */
function createUnitTiles({ counters, items }: ArmySide): UnitTile[] {
  const figures = counters.filter(({ kind }) => kind !== 'type');
  const own = figures.filter(({ item }) => item === undefined);
  const first: UnitTile[] = own.length === 0 ? [] : [{ key: 'own', title: '', about: '', counters: own }];
  const listed = items.flatMap((item): UnitTile[] => {
    const mine = figures.filter((each) => each.item !== undefined && toPathKey(each.item) === toPathKey(item.path));
    const army = counters.some(
      (each) => each.kind === 'type' && each.item !== undefined && toPathKey(each.item) === toPathKey(item.path),
    );
    if (army) return [];
    return [{ key: toPathKey(item.path), title: item.name, about: '', counters: mine, item }];
  });
  return [...first, ...listed];
}

const createTypeTiles = (counters: readonly ArmyCounter[]): UnitTile[] =>
  counters
    .filter((each) => each.kind === 'type' && hasTile(each))
    .map((each) => ({ key: each.place, title: each.name, about: each.about, counters: [each] }));

function Remove({ item, side }: { readonly item: ArmyItem; readonly side: ArmySide }) {
  return <RemoveButton words={`Remove ${item.name} of ${side.name}`} path={item.path} onEdit={applySideEdit} />;
}

/** Number of a unit, with its name if the unit has several. */
function UnitNumber({
  tile,
  counter,
  side,
}: {
  readonly tile: UnitTile;
  readonly counter: ArmyCounter;
  readonly side: ArmySide;
}) {
  const type = counter.kind === 'type';
  const label = type || tile.title === '' ? `${counter.name}, ${side.name}` : `${counter.name}, ${tile.title}`;
  return (
    <div class="number">
      {!type && <span class="of">{counter.name}</span>}
      <Stepper counter={counter} label={tile.item === undefined ? label : `${label}, ${side.name}`} />
    </div>
  );
}

function UnitTileView({ tile, side }: { readonly tile: UnitTile; readonly side: ArmySide }) {
  const { title, about, counters, item } = tile;
  return (
    <li class="tile">
      {title !== '' && (
        <div class="tile-head">
          <Silhouette name={title} about={about} />
          <span class="tile-name" title={about}>
            {title}
          </span>
          {item !== undefined && <Remove item={item} side={side} />}
        </div>
      )}
      {counters.map((counter) => (
        <UnitNumber key={counter.place} tile={tile} counter={counter} side={side} />
      ))}
    </li>
  );
}

/** Buttons that add one unit of an absent type. */
function Chips({ counters, side }: { readonly counters: readonly ArmyCounter[]; readonly side: ArmySide }) {
  const absent = counters.filter((each) => each.kind === 'type' && !hasTile(each) && each.high > 0);
  if (absent.length === 0) return null;
  return (
    <ul class="chips" aria-label={`Add to ${side.name}`}>
      {absent.map((counter) => (
        <li key={counter.place}>
          <button
            type="button"
            class="chip"
            title={counter.about}
            aria-label={`Add ${counter.name}, ${side.name}`}
            onClick={() => {
              setCount(counter, 1);
            }}
          >
            <Silhouette name={counter.name} about={counter.about} small />
            {counter.name}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Button that adds a unit or an army. */
function AddButton({ grow, side }: { readonly grow: GrowableList; readonly side: ArmySide }) {
  return (
    <button
      type="button"
      class="chip grow"
      aria-label={`Add ${grow.name}, ${side.name}`}
      onClick={() => {
        applySideEdit({ kind: 'append', path: grow.path, value: grow.value });
      }}
    >
      + {grow.name}
    </button>
  );
}

/** Types of an army, or of the side if it is the only one. */
function Army({
  title,
  counters,
  side,
  item,
}: {
  readonly title: string;
  readonly counters: readonly ArmyCounter[];
  readonly side: ArmySide;
  readonly item?: ArmyItem | undefined;
}) {
  const tiles = createTypeTiles(counters);
  return (
    <>
      {title !== '' && (
        <h3 class="army">
          {title}
          {item !== undefined && <Remove item={item} side={side} />}
        </h3>
      )}
      {tiles.length > 0 && (
        <ul class="tiles">
          {tiles.map((tile) => (
            <UnitTileView key={tile.key} tile={tile} side={side} />
          ))}
        </ul>
      )}
      <Chips counters={counters} side={side} />
    </>
  );
}

/** Returns the words that choose the shape of a side with one unit. */
function getShapeWords({ name, counters, more }: ArmySide): string | undefined {
  const own = counters.filter(({ kind, item }) => kind !== 'type' && item === undefined);
  if (own.length === 0) return undefined;
  const kinds = more.flatMap(({ shape }) =>
    shape.kind === 'choice' ? (shape.options[shape.chosen]?.label ?? []) : [],
  );
  return [name, ...kinds, ...own.map((each) => each.name)].join(' ');
}

const wide = matchMedia('(min-width: 801px)');

/** Maximum number of further fields that are open by default. */
const MAX_OPEN_FIELDS = 9;

/** Returns whether further fields are open: if a side has no counters, or is one unit with few fields. */
function isOpen({ counters, more }: ArmySide): boolean {
  const unit = counters.every(({ kind, item }) => kind !== 'type' && item === undefined);
  return counters.length === 0 || (unit && wide.matches && more.length <= MAX_OPEN_FIELDS);
}

function Side({ side }: { readonly side: ArmySide }) {
  const types = side.counters.filter(({ kind }) => kind === 'type');
  const armies = [...new Set(types.map(({ of }) => of))];
  const tiles = createUnitTiles(side);
  const shape = getShapeWords(side);
  return (
    <section class={`front-side side${String(side.tone % 6)}`} aria-label={side.name}>
      <h2>
        {shape !== undefined && <Silhouette name={shape} />}
        {side.name}
      </h2>
      {tiles.length > 0 && (
        <ul class="tiles">
          {tiles.map((tile) => (
            <UnitTileView key={tile.key} tile={tile} side={side} />
          ))}
        </ul>
      )}
      {armies.map((army) => {
        const own = types.filter(({ of }) => of === army);
        const item =
          armies.length > 1
            ? side.items.find(({ path }) => toPathKey(path) === toPathKey(own[0]?.item ?? []))
            : undefined;
        return <Army key={army} title={army} counters={own} side={side} item={item} />;
      })}
      {side.grows.length > 0 && (
        <div class="chips">
          {side.grows.map((grow) => (
            <AddButton key={toPathKey(grow.path)} grow={grow} side={side} />
          ))}
        </div>
      )}
      {side.more.length > 0 && (
        <details class="more" open={isOpen(side)}>
          <summary>More of {side.name}</summary>
          <div class="scenario-form">
            <Entries entries={side.more} />
          </div>
        </details>
      )}
    </section>
  );
}

/** Buttons for whole sides, next to Undo and Redo. */
function SideActions() {
  const { sides = [], swaps = [] } = armyForm.value ?? {};
  const types = sides.flatMap(({ counters }) => counters.filter(({ kind }) => kind === 'type'));
  return (
    <>
      {swaps.length > 0 && (
        <button
          type="button"
          class="icon"
          aria-label="Swap sides"
          title="Swap sides"
          onClick={() => {
            void changeSides(async (engine, before) => {
              const after = await engine.exchange(before);
              exchangeState.value = after;
              return after.text;
            });
          }}
        >
          ⇄
        </button>
      )}
      {types.length > 0 && (
        <button
          type="button"
          class="icon word"
          disabled={types.every((each) => getShownValue(each) === 0)}
          onClick={() => {
            void changeSides((engine, text) => engine.clear(text));
          }}
        >
          Clear
        </button>
      )}
    </>
  );
}

/** Mounts the buttons of this view. */
function watchTools(): () => void {
  const end = watchArmyForm();
  modeTools.value = <SideActions />;
  return () => {
    modeTools.value = undefined;
    end();
  };
}

function NoSides({ reason }: { readonly reason: string | undefined }) {
  return (
    <p class="form-none" role="status">
      {reason ?? 'The fields of this scenario do not define sides.'}{' '}
      <Button
        onClick={() => {
          showMode(reason === undefined ? 'Form' : 'Text');
        }}
      >
        Show as {reason === undefined ? 'form' : 'text'}
      </Button>
    </p>
  );
}

export function Units() {
  useLayoutEffect(watchTools, []);
  const found = armyForm.value;
  if (found === undefined) return <p class="soft">Loading …</p>;
  if (found.sides.length === 0) return <NoSides reason={found.reason} />;
  return (
    <form
      class="front"
      aria-label="Units"
      onSubmit={(event) => {
        event.preventDefault();
      }}
    >
      {changeError.value !== undefined && <Problem error={changeError.value} />}
      {exchangeState.value.unchanged.length > 0 && exchangeState.value.text === text.value && (
        <p class="soft" role="status">
          Not swapped, because the other side cannot have it: {exchangeState.value.unchanged.join(', ')}.
        </p>
      )}
      <div class={found.sides.length > 2 ? 'front-sides many' : 'front-sides'}>
        {found.sides.map((side) => (
          <Side key={side.id} side={side} />
        ))}
      </div>
      {found.rules.length > 0 && (
        <details class="more rules">
          <summary>Rules</summary>
          <div class="scenario-form">
            <Entries entries={found.rules} />
          </div>
        </details>
      )}
    </form>
  );
}
