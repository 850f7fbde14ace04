{-# LANGUAGE ScopedTypeVariables #-}
-- JuicyPixels: at full depth. An error that it throws instead of returning it ends the program.
module Main (main) where

import Codec.Picture
import Codec.Picture.Types
import qualified Data.ByteString as B
import qualified Data.ByteString.Builder as BB
import qualified Data.ByteString.Char8 as C
import qualified Data.ByteString.Lazy as L
import Data.Bits (shiftR)
import Data.List (isSuffixOf)
import qualified Data.Vector.Storable as V
import System.Environment (getArgs)
import System.Exit (exitFailure)
import System.IO

samples16 :: (Int, Int) -> Int -> V.Vector Pixel16 -> L.ByteString
samples16 size channels v = pam size channels 65535 (V.foldr (\s rest -> BB.word16BE s <> rest) mempty v)

pam :: (Int, Int) -> Int -> Int -> BB.Builder -> L.ByteString
pam (width, height) channels maximum_ samples = BB.toLazyByteString (BB.string7 header <> samples)
  where
    header =
      unlines
        [ "P7", "WIDTH " ++ show width, "HEIGHT " ++ show height, "DEPTH " ++ show channels
        , "MAXVAL " ++ show maximum_, "ENDHDR" ]

encode :: DynamicImage -> Either String L.ByteString
encode image = case image of
  ImageY16 i -> Right (samples16 (size i) 1 (imageData i))
  ImageY32 i -> Right (samples16 (size i) 1 (V.map (\s -> fromIntegral (s `shiftR` 16)) (imageData i)))
  ImageYA16 i -> Right (samples16 (size i) 2 (imageData i))
  ImageRGB16 i -> Right (samples16 (size i) 3 (imageData i))
  ImageRGBA16 i -> Right (samples16 (size i) 4 (imageData i))
  ImageYF _ -> Left "glue: samples in floating point"
  ImageRGBF _ -> Left "glue: samples in floating point"
  ImageCMYK16 _ -> Left "glue: CMYK of 16 bits"
  eight ->
    let i = convertRGBA8 eight
     in Right (pam (size i) 4 255 (V.foldr (\s rest -> BB.word8 s <> rest) mempty (imageData i)))
  where
    size :: Image a -> (Int, Int)
    size i = (imageWidth i, imageHeight i)

picture :: FilePath -> IO (Either String L.ByteString)
picture file = (\bytes -> decode bytes >>= encode) <$> B.readFile file
  where
    decode bytes
      | C.pack "BM" `B.isPrefixOf` bytes = decodeBitmap bytes
      | C.pack "GIF8" `B.isPrefixOf` bytes = decodeGif bytes
      | B.pack [0x89, 0x50] `B.isPrefixOf` bytes = decodePng bytes
      | any (`B.isPrefixOf` bytes) [C.pack "II", C.pack "MM"] = decodeTiff bytes
      | ".tga" `isSuffixOf` file = decodeTga bytes
      | otherwise = decodeTiff bytes

work :: IO ()
work = do
  done <- isEOF
  if done
    then pure ()
    else do
      line <- getLine
      made <- picture (drop 1 (dropWhile (/= ' ') line))
      case made of
        Right bytes -> do
          -- Evaluated whole before anything is said.
          let whole = L.toStrict bytes
          C.putStr (C.pack ("picture " ++ show (B.length whole) ++ "\n"))
          B.putStr whole
        Left why -> do
          let text = C.pack why
          C.putStr (C.pack ("refused " ++ show (B.length text) ++ "\n"))
          B.putStr text
      hFlush stdout
      work

main :: IO ()
main = do
  args <- getArgs
  case args of
    [input, output] ->
      picture input >>= either (\why -> hPutStrLn stderr why >> exitFailure) (L.writeFile output)
    _ -> do
      hSetBinaryMode stdout True
      putStr "ready\n" >> hFlush stdout
      work
