/** VitePress' own theme without its font, which shows text in the font of the reader's system; with a home of our own. */
import theme from 'vitepress/theme-without-fonts';
import FrontPage from './front-page.vue';
import './style.css';

export default {
  extends: theme,
  /** A page whose layout is `FrontPage` is shown by it. */
  enhanceApp: (/** @type {{ app: import('vue').App }} */ { app }) => app.component('FrontPage', FrontPage),
};
