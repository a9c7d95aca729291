/** The sidebar: the pages of the list, with the scenarios below their system and the functions below their module. */
import { SECTIONS } from './pages.js';

/**
 * @typedef {import('vitepress').DefaultTheme.SidebarItem} Item
 * @typedef {{ readonly system: string, readonly title: string, readonly file: string }} ScenarioEntry
 * @typedef {{ readonly title: string, readonly path?: string | null, readonly children?: readonly ApiEntry[] }} ApiEntry
 */

/** The address of a page. @param {string} file */
const addressOf = (file) => `/${file.replace(/(?:README|index)\.md$/, '').replace(/\.md$/, '')}`;

/** @param {readonly ScenarioEntry[]} scenarios @param {string} file of the page of a system @returns {Item} */
function scenariosOf(scenarios, file) {
  const items = scenarios
    .filter(({ system }) => file === `docs/systems/${system}.md`)
    .map(({ title, file: scenario }) => ({ text: title, link: addressOf(scenario) }));
  return items.length > 0 ? { collapsed: true, items } : {};
}

/** @param {ApiEntry} entry @returns {Item} */
function apiItem({ title, path, children = [] }) {
  return {
    text: title,
    ...(path ? { link: addressOf(`api/${path}`) } : {}),
    ...(children.length > 0 ? { collapsed: true, items: children.map(apiItem) } : {}),
  };
}

/** Modules stand beside each other. TypeDoc puts `warpool/rollout` below `warpool`. @param {ApiEntry} entry @returns {Item[]} */
function moduleItems(entry) {
  const { children = [], path } = entry;
  const text = path?.replace(/\/index\.md$/, '') ?? entry.title;
  const groups = children.filter((child) => !child.path).map(apiItem);
  return [
    { text, link: addressOf(`api/${path}`), collapsed: false, items: groups },
    ...children.filter((child) => child.path).flatMap(moduleItems),
  ];
}

/** What is made, not written, by the section that it ends. */
const MADE = new Map([
  ['Systems', [{ text: 'All scenarios', link: '/scenarios/' }]],
  ['Own rules', [{ text: 'Examples', link: '/examples/' }]],
  ['Reference', [{ text: 'API', link: '/api/' }]],
]);

/**
 * The sidebars by the beginning of the address: that of the reference is as long as all others together.
 * @param {readonly ScenarioEntry[]} scenarios @param {readonly ApiEntry[]} api
 * @returns {import('vitepress').DefaultTheme.SidebarMulti}
 */
export function sidebars(scenarios, api) {
  const sections = SECTIONS.map(({ title, pages }) => ({
    text: title,
    collapsed: false,
    items: [
      ...pages.map(([file, text]) => ({ text, link: addressOf(file), ...scenariosOf(scenarios, file) })),
      ...(MADE.get(title) ?? []),
    ],
  }));
  return { '/api/': api.flatMap(moduleItems), '/': sections };
}
