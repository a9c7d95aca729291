/** Default theme of VitePress without its font, in the system font, with a custom home page. */
import theme from 'vitepress/theme-without-fonts';
import FrontPage from './front-page.vue';
import './style.css';

export default {
  extends: theme,
  /** Layout of pages with `layout: FrontPage`. */
  enhanceApp: (/** @type {{ app: import('vue').App }} */ { app }) => app.component('FrontPage', FrontPage),
};
