/** Sidebar: the listed pages, with scenarios below their system and functions below their module. */
import { pageOf } from './gather.js';
import { slug } from './markdown.js';
import { SECTIONS } from './pages.js';

/**
 * @typedef {import('vitepress').DefaultTheme.SidebarItem} Item
 * @typedef {{ readonly system: string, readonly title: string, readonly file: string, readonly rules: string }} ScenarioEntry
 * @typedef {{ readonly title: string, readonly path?: string | null, readonly children?: readonly ApiEntry[] }} ApiEntry
 */

/** Creates the URL path of a page. @param {string} file */
const addressOf = (file) =>
  `/${pageOf(file)
    .replace(/(^|\/)index\.md$/, '$1')
    .replace(/\.md$/, '')}`;

/** @param {readonly ScenarioEntry[]} scenarios @param {string} file of the page of a system or game @returns {Item} */
function scenariosOf(scenarios, file) {
  const items = scenarios
    .filter(({ rules }) => file === rules)
    .map(({ title, file: scenario }) => ({ text: title, link: addressOf(scenario) }));
  return items.length > 0 ? { collapsed: true, items } : {};
}

/**
 * Creates the item of a group of a module, such as its functions, with a link to their list.
 * @param {ApiEntry} entry @param {string} module URL path of its page @returns {Item}
 */
function groupItem({ title, children = [] }, module) {
  const items = children.map(({ title: text, path }) => ({ text, link: addressOf(`api/${path}`) }));
  return { text: title, link: `${module}#${slug(title)}`, collapsed: true, items };
}

/**
 * Creates the items of modules on one level; TypeDoc puts `warpool/environments` below `warpool`.
 * @param {ApiEntry} entry
 * @returns {Item[]}
 */
function moduleItems({ title, path, children = [] }) {
  const link = addressOf(`api/${path}`);
  const groups = children.filter((child) => !child.path).map((child) => groupItem(child, link));
  return [
    { text: path?.replace(/\/index\.md$/, '') ?? title, link, items: groups },
    ...children.filter((child) => child.path).flatMap(moduleItems),
  ];
}

/** Generated pages, by the section that they end. */
const MADE = new Map([
  ['Systems', [{ text: 'All scenarios', link: '/scenarios/' }]],
  ['Own rules', [{ text: 'Examples', link: '/examples/' }]],
  [
    'Reference',
    [
      { text: 'Options of each command', link: '/commands/' },
      { text: 'API', link: '/api/' },
    ],
  ],
]);

/**
 * Creates the sidebars by prefix of the URL path. The reference is separate because of its length.
 * @param {readonly ScenarioEntry[]} scenarios @param {readonly ApiEntry[]} api
 * @returns {import('vitepress').DefaultTheme.SidebarMulti}
 */
export function sidebars(scenarios, api) {
  const sections = SECTIONS.map(({ title, pages }) => ({
    text: title,
    items: [
      ...pages.map(([file, text]) => ({ text, link: addressOf(file), ...scenariosOf(scenarios, file) })),
      ...(MADE.get(title) ?? []),
    ],
  }));
  return { '/api/': api.flatMap(moduleItems), '/': sections };
}
